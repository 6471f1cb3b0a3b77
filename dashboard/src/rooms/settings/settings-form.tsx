import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { useBaseChange } from '../../api/knowledge-bases.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** The fields that differ from what was shown or saved last. */
const differing = (now: KnowledgeBaseChange, before: KnowledgeBaseChange): KnowledgeBaseChange =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([field, value]) =>
        JSON.stringify(value) !== JSON.stringify(before[field as keyof KnowledgeBaseChange]),
    ),
  )

/**
 * A part of the settings with its own Save. It is read only while the base is archived. Only what was changed here is sent: what others
 * change meanwhile stays as they left it, and what is typed stays when they do.
 */
export function SettingsForm({
  base,
  title,
  changeOf,
  children,
}: {
  base: KnowledgeBase
  title: string
  /** What the fields of the form change. */
  changeOf: (form: FormData) => KnowledgeBaseChange
  children: ReactNode
}) {
  const { tell } = useToasts()
  const save = useBaseChange(base.id, (api, change: KnowledgeBaseChange) =>
    api.updateKnowledgeBase(base.id, change),
  )
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef<KnowledgeBaseChange>({})
  // Fields of a base that was archived are not in the form before it is restored.
  useEffect(() => {
    if (form.current !== null) shown.current = changeOf(new FormData(form.current))
  }, [base.status, changeOf])
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const now = changeOf(new FormData(event.currentTarget))
    const change = differing(now, shown.current)
    if (Object.keys(change).length === 0) return tell('Nothing was changed.')
    save.mutate(change, {
      onSuccess: () => {
        shown.current = now
        tell('The settings were saved.')
      },
    })
  }
  return (
    <Card title={title}>
      <form ref={form} onSubmit={submit}>
        <fieldset disabled={base.status === 'archived'}>
          {children}
          {save.isError && <Fault error={save.error} />}
          <Button look="primary" type="submit" disabled={save.isPending}>
            Save
          </Button>
        </fieldset>
      </form>
    </Card>
  )
}
