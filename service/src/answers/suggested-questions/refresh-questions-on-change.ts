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
  const refresh = async (knowledgeBaseId: string) => {
    try {
      await suggestedQuestions.refresh(knowledgeBaseId)
    } catch (error) {
      // The questions are written again after the next change.
      if (!stopping.aborted) throw error
    }
  }
  const refreshes = createQuestionRefreshes({ refresh: suggestedQuestions.refresh, stopping })
  // Sent for each of a sync's many documents.
  events.listen('content.changed', ({ knowledgeBaseId }) => {
    suggestedQuestions.noticeChange(knowledgeBaseId)
    refreshes.plan(knowledgeBaseId)
  })
  events.listen('sync.finished', async ({ knowledgeBaseId, hasChangedDocuments }) => {
    if (hasChangedDocuments) await refresh(knowledgeBaseId)
  })
  events.listen('document.visibility-changed', ({ knowledgeBaseId }) => refresh(knowledgeBaseId))
}
