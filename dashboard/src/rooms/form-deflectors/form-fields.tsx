import type { FormDeflector, NewFormDeflector } from '@citewell/sdk/management'
import { FORM_DEFAULTS } from '@citewell/contract/closed-lists'
import { LIMITS } from '@citewell/contract/limits'
import { TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'

export const fieldsOf = (form: FormData): Required<Omit<NewFormDeflector, 'enabled'>> => ({
  name: textOf(form, 'name'),
  min_characters: Number(textOf(form, 'min_characters')),
  min_confidence: Number(textOf(form, 'min_confidence')) / 100,
})

/** The name of a form deflector, and when it answers. */
export function FormFields({ form }: { form?: FormDeflector }) {
  const { min_characters: characters, min_confidence: confidence } = form ?? FORM_DEFAULTS
  return (
    <>
      <TextInput label="Name" name="name" required maxLength={LIMITS.name} defaultValue={form?.name ?? ''} />
      <TextInput
        label="Minimum length"
        name="min_characters"
        type="number"
        min={0}
        max={1000}
        step={1}
        required
        defaultValue={characters}
        hint="In characters. Shorter requests are sent without an answer."
      />
      <TextInput
        label="Minimum confidence"
        name="min_confidence"
        type="number"
        min={0}
        max={100}
        step={1}
        required
        defaultValue={Math.round(confidence * 100)}
        hint="In per cent. Answers below it are not shown, and the request is sent. A higher value means fewer answers, and fewer wrong ones."
      />
    </>
  )
}
