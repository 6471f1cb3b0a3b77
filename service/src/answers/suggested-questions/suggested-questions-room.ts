import type { Events } from '../../platform/events/events.ts'
import type { SuggestedQuestions } from './suggested-questions.ts'

/** Writes a base's questions anew when its public pages are others than before. */
export function keepQuestionsFresh(
  events: Events,
  suggestedQuestions: Pick<SuggestedQuestions, 'refresh'>,
): void {
  events.listen('sync.finished', async ({ knowledgeBaseId, hasChangedDocuments }) => {
    if (hasChangedDocuments) await suggestedQuestions.refresh(knowledgeBaseId)
  })
  events.listen('document.visibility-changed', async ({ knowledgeBaseId }) => {
    await suggestedQuestions.refresh(knowledgeBaseId)
  })
}
