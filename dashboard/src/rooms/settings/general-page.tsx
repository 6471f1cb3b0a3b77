import type { KnowledgeBaseChange } from '@citewell/sdk/management'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import { SettingsForm } from './settings-form.tsx'
import { StarterQuestionsField, starterModeOf } from './starter-questions-field.tsx'
import { useSettingsBase } from './use-settings-base.ts'

const CRAWLS = [
  ['', 'Off'],
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
] as const

const changeOf = (form: FormData): KnowledgeBaseChange => {
  const crawl = CRAWLS.find(([value]) => value === form.get('scheduled_crawling'))?.[0] ?? ''
  return {
    name: textOf(form, 'name'),
    description: textOrNull(form, 'description'),
    language: textOrNull(form, 'language'),
    respect_robots_txt: form.get('respect_robots_txt') === 'on',
    scheduled_crawling: crawl === '' ? null : crawl,
    starter_questions: {
      mode: starterModeOf(form.get('mode')),
      questions: form
        .getAll('question')
        .map((question) => (typeof question === 'string' ? question.trim() : ''))
        .filter((question) => question !== ''),
    },
  }
}

/** Name, crawling and starter questions. */
export function GeneralPage() {
  const base = useSettingsBase()
  return (
    <SettingsForm base={base} title="General" changeOf={changeOf}>
      <TextInput
        label="Name"
        name="name"
        defaultValue={base.name}
        required
        minLength={2}
        maxLength={100}
        hint="Readers see it."
      />
      <TextArea
        label="Description"
        name="description"
        defaultValue={base.description ?? ''}
        rows={2}
        maxLength={2000}
      />
      <TextInput
        label="Language of its pages"
        name="language"
        defaultValue={base.language ?? ''}
        maxLength={35}
        hint="A language tag such as en or pt-BR. Leave empty to detect it from the pages."
      />
      <Switch
        label="Respect robots.txt"
        name="respect_robots_txt"
        defaultChecked={base.respect_robots_txt}
        hint="Switch it off only for sites that are yours."
      />
      <Select
        label="Scheduled crawling"
        name="scheduled_crawling"
        options={CRAWLS}
        defaultValue={base.scheduled_crawling ?? ''}
        hint="Reads all sources again, in addition to the refresh that each source has of its own."
      />
      <StarterQuestionsField base={base} />
    </SettingsForm>
  )
}
