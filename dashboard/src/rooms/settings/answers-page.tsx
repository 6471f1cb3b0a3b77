import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBaseChange } from '@citewell/sdk/management'
import { TextArea } from '../../ui/field.tsx'
import { textOrNull } from '../../ui/form-values.ts'
import { SettingsForm } from './settings-form.tsx'
import { TryVoice } from './try-voice.tsx'
import { useSettingsBase } from './use-settings-base.ts'

const changeOf = (form: FormData): KnowledgeBaseChange => ({
  persona: textOrNull(form, 'persona'),
  tone: textOrNull(form, 'tone'),
  standing_instructions: textOrNull(form, 'standing_instructions'),
})

/** How answers of a language model sound. */
export function AnswersPage() {
  const base = useSettingsBase()
  return (
    <>
      <SettingsForm base={base} title="Answers" changeOf={changeOf}>
        <p>They apply to answers of a language model. Without a model, answers are quotes of your pages.</p>
        <TextArea
          label="Persona"
          name="persona"
          maxLength={LIMITS.persona}
          defaultValue={base.persona ?? ''}
          hint="Who answers."
          rows={2}
        />
        <TextArea
          label="Tone"
          name="tone"
          maxLength={LIMITS.tone}
          defaultValue={base.tone ?? ''}
          hint="How answers sound."
          rows={2}
        />
        <TextArea
          label="Standing instructions"
          name="standing_instructions"
          maxLength={LIMITS.standingInstructions}
          defaultValue={base.standing_instructions ?? ''}
          hint="Followed in every answer."
        />
      </SettingsForm>
      <TryVoice base={base} readVoice={changeOf} />
    </>
  )
}
