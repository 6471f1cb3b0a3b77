import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea } from '../../ui/field.tsx'
import { textOrNull } from '../../ui/form-values.ts'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useBaseChange } from '../../api/knowledge-bases.ts'

/** How answers of a language model sound. */
export function VoiceForm({ base }: { base: KnowledgeBase }) {
  const { tell } = useToasts()
  const save = useBaseChange(base.id, (api, change: KnowledgeBaseChange) =>
    api.updateKnowledgeBase(base.id, change),
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    save.mutate(
      {
        persona: textOrNull(form, 'persona'),
        tone: textOrNull(form, 'tone'),
        standing_instructions: textOrNull(form, 'standing_instructions'),
      },
      { onSuccess: () => tell('The settings were saved.') },
    )
  }
  return (
    <Card title="Answers">
      <p>They apply to answers of a language model. Without a model, answers are quotes of your pages.</p>
      <form onSubmit={submit}>
        <fieldset disabled={base.status === 'archived'}>
          <TextArea
            label="Persona"
            name="persona"
            maxLength={2000}
            defaultValue={base.persona ?? ''}
            hint="Who answers."
            rows={2}
          />
          <TextArea
            label="Tone"
            name="tone"
            maxLength={1000}
            defaultValue={base.tone ?? ''}
            hint="How answers sound."
            rows={2}
          />
          <TextArea
            label="Standing instructions"
            name="standing_instructions"
            defaultValue={base.standing_instructions ?? ''}
            hint="Followed in every answer."
          />
          {save.isError && <Fault error={save.error} />}
          <Button look="primary" type="submit" disabled={save.isPending}>
            Save
          </Button>
        </fieldset>
      </form>
    </Card>
  )
}
