import type { Events } from '../../platform/events/events.ts'
import { createQuestionRefreshes } from './question-refreshes.ts'

interface RefreshedQuestions {
  refresh: (knowledgeBaseId: string) => Promise<void>
  noticeChange: (knowledgeBaseId: string) => void
}

/** Rewrites a base's questions when its public pages change. */
export function refreshQuestionsOnChange(
  events: Events,
  suggestedQuestions: RefreshedQuestions,
  stopping: AbortSignal,
): void {
  const refreshes = createQuestionRefreshes({ refresh: suggestedQuestions.refresh, stopping })
  // Sent for each of a sync's many documents.
  events.listen('content.changed', ({ knowledgeBaseId }) => {
    suggestedQuestions.noticeChange(knowledgeBaseId)
    refreshes.plan(knowledgeBaseId)
  })
  events.listen('sync.finished', async ({ knowledgeBaseId, hasChangedDocuments }) => {
    if (hasChangedDocuments) await suggestedQuestions.refresh(knowledgeBaseId)
  })
  events.listen('document.visibility-changed', async ({ knowledgeBaseId }) => {
    await suggestedQuestions.refresh(knowledgeBaseId)
  })
}
