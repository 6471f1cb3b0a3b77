import type { StoredAnswer } from '../../answers/conversations/conversations.ts'
import type { Events } from '../../platform/events/events.ts'
import { answerExcerpt, recordWebhookEvent } from './record-webhook-event.ts'
import type { WebhooksDb } from './webhook-deliveries-store.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface WebhookListenerDeps {
  events: Events
  sender: Pick<WebhookSender, 'wake'>
  newId: () => string
  now: () => Date
}

/** Subscribes webhooks to events, and returns what to do in the transaction that stores an answer. */
export function listenForWebhooks({ events, sender, newId, now }: WebhookListenerDeps) {
  const toWakeFor = new Set<string>()
  events.listen('webhooks.recorded', () => sender.wake())
  events.listen('conversation.completed', ({ messageId }) => {
    if (toWakeFor.delete(messageId)) sender.wake()
  })

  return {
    /** Call in the transaction that stores a complete answer; `conversation.completed` is announced after it. */
    onAnswerKept: async (transaction: WebhooksDb, kept: StoredAnswer): Promise<void> => {
      const { knowledgeBaseId, threadId, messageId } = kept
      const data = {
        conversation_id: threadId,
        message_id: messageId,
        // A webhook goes to an arbitrary receiver, and its log is visible to members who may not chat.
        answer_excerpt: kept.isPublic ? answerExcerpt(kept.answer) : '',
      }
      const happening = {
        event: 'conversation.completed',
        knowledgeBaseId,
        data,
        at: now(),
        threadId,
      } as const
      if ((await recordWebhookEvent(transaction, happening, newId)) > 0) toWakeFor.add(messageId)
    },
  }
}
