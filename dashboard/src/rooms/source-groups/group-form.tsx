import type { SourceGroup } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import type { FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'

/** Makes a source group, or changes its name and description. */
export function GroupForm({
  baseId,
  group,
  onSaved,
}: {
  baseId: string
  /** Undefined for a new one. */
  group: SourceGroup | undefined
  onSaved: () => void
}) {
  const save = useRecordChange(
    'source-groups',
    baseId,
    (api, given: { name: string; description: string | null }) =>
      group === undefined ? api.createSourceGroup(baseId, given) : api.updateSourceGroup(group.id, given),
    { says: 'The group was saved.', isInForm: true },
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    save.mutate(
      { name: textOf(form, 'name'), description: textOrNull(form, 'description') },
      { onSuccess: onSaved },
    )
  }
  return (
    <Form hasFailed={save.isError} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={LIMITS.name}
        defaultValue={group?.name ?? ''}
        hint="For example, a version or a product: Version 2."
      />
      <TextArea
        label="Description"
        name="description"
        rows={2}
        maxLength={LIMITS.description}
        defaultValue={group?.description ?? ''}
      />
      {save.isError && <Fault error={save.error} />}
      <Button look="primary" type="submit" disabled={save.isPending}>
        Save the group
      </Button>
    </Form>
  )
}
