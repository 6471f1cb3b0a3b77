import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { linesOf, textOf, textOrNull } from '../../ui/form-values.ts'
import { SettingsForm } from './settings-form.tsx'

const CRAWLS = [
  ['', 'Off'],
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
] as const

const STARTERS = [
  ['generated', 'From the titles of public pages'],
  ['own', 'My own questions'],
  ['none', 'None'],
] as const

const changeOf = (form: FormData): KnowledgeBaseChange => {
  const crawl = CRAWLS.find(([value]) => value === form.get('scheduled_crawling'))?.[0] ?? ''
  return {
    name: textOf(form, 'name'),
    description: textOrNull(form, 'description'),
    respect_robots_txt: form.get('respect_robots_txt') === 'on',
    scheduled_crawling: crawl === '' ? null : crawl,
    starter_questions: {
      mode: STARTERS.find(([value]) => value === form.get('mode'))?.[0] ?? 'generated',
      questions: linesOf(form, 'questions'),
    },
  }
}

/** Name, crawling and starter questions. */
export function GeneralForm({ base }: { base: KnowledgeBase }) {
  return (
    <SettingsForm base={base} title="General" changeOf={changeOf}>
      <TextInput label="Name" name="name" defaultValue={base.name} required maxLength={200} />
      <TextArea label="Description" name="description" defaultValue={base.description ?? ''} rows={2} />
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
        hint="Reads every source again, in addition to the schedule of each."
      />
      <Select
        label="Starter questions"
        name="mode"
        options={STARTERS}
        defaultValue={base.starter_questions.mode}
        hint="What a reader is offered before the first question."
      />
      <TextArea
        label="My own questions"
        name="questions"
        defaultValue={base.starter_questions.questions.join('\n')}
        hint="One a line, at most 8 of 200 characters each."
      />
    </SettingsForm>
  )
}
