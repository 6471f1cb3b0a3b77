import type { KnowledgeBase } from '@citewell/sdk/management'
import { Status } from './status.tsx'

/** Whether a knowledge base answers. One that has read nothing does not, although it is active. */
export function BaseState({
  base: { status, document_count: documents },
}: {
  base: Pick<KnowledgeBase, 'status' | 'document_count'>
}) {
  if (status === 'archived') return <Status tone="quiet">Archived</Status>
  if (documents === 0) return <Status tone="quiet">Nothing to answer from yet</Status>
  return <Status tone="ok">Answering</Status>
}
