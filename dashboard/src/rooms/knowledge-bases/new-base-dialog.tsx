import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { useCreateKnowledgeBase } from '../../api/knowledge-bases.ts'

/** Makes a knowledge base, and goes on to its first source. */
export function NewBaseDialog({
  workspaceId,
  isOpen,
  onClose,
}: {
  workspaceId: string
  isOpen: boolean
  onClose: () => void
}) {
  const create = useCreateKnowledgeBase(workspaceId)
  const navigate = useNavigate()
  function close(): void {
    create.reset()
    onClose()
  }
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = textOf(form, 'name')
    const type = form.get('type') === 'internal' ? 'internal' : 'external'
    const base = await create.mutateAsync({ name, type }).catch(() => undefined)
    if (base === undefined) return
    onClose()
    await navigate({ to: '/kb/$baseId/sources/new', params: { baseId: base.id } })
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title="New knowledge base">
      <Form hasFailed={create.isError} onSubmit={(event) => void submit(event)}>
        <TextInput
          label="Name"
          name="name"
          required
          minLength={2}
          maxLength={100}
          hint="Readers see it, for example “Acme docs”."
        />
        <Select
          label="Who may ask it"
          name="type"
          options={[
            ['external', 'Everyone: on your website, over the API, in AI tools'],
            ['internal', 'Only members of this workspace'],
          ]}
        />
        {create.isError && <Fault error={create.error} />}
        <Button look="primary" type="submit" disabled={create.isPending}>
          Create knowledge base
        </Button>
      </Form>
    </Dialog>
  )
}
