import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { useBaseChange, useReadAgain } from '../../api/knowledge-bases.ts'
import { SaveForm } from '../../ui/save-form.tsx'

/** A part of the settings of a base. It is read only while the base is archived. */
export function SettingsForm({
  base,
  title,
  changeOf,
  children,
}: {
  base: KnowledgeBase
  title: string
  changeOf: (form: FormData) => KnowledgeBaseChange
  children: ReactNode
}) {
  const save = useBaseChange(base.id, (api, change: KnowledgeBaseChange) =>
    api.updateKnowledgeBase(base.id, change),
  )
  const readAgain = useReadAgain(base.id)
  return (
    <SaveForm
      title={title}
      blocked={base.status === 'archived' ? 'The knowledge base is archived.' : undefined}
      record={base}
      readRecord={readAgain}
      changeOf={changeOf}
      save={(change) => save.mutateAsync(change)}
      requestOf={(body) => ({ method: 'PATCH', path: `/api/v1/knowledge-bases/${base.id}`, body })}
    >
      {children}
    </SaveForm>
  )
}
