import type { Events } from '../../platform/events/events.ts'
import { createQuestionRefreshes } from './question-refreshes.ts'
import type { SuggestedQuestions } from './suggested-questions.ts'

/** Writes a base's questions anew when its public pages are others than before. */
export function keepQuestionsFresh(
  events: Events,
  suggestedQuestions: Pick<SuggestedQuestions, 'refresh' | 'noticeChange'>,
  stopping: AbortSignal,
): void {
  const refreshes = createQuestionRefreshes({ refresh: suggestedQuestions.refresh, stopping })
  // Of a sync's many documents, one after the other.
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
