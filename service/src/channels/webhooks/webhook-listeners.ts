import type { Events } from '../../platform/events/events.ts'
import { answerExcerpt, recordWebhookEvent } from './record-webhook-event.ts'
import type { WebhooksDb } from './webhook-deliveries-store.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface WebhookRoomDeps {
  db: WebhooksDb
  events: Events
  sender: Pick<WebhookSender, 'wake'>
  newId: () => string
  now: () => Date
}

/** A kept answer, as the transaction that keeps it knows it. */
export interface KeptAnswer {
  knowledgeBaseId: string
  threadId: string
  messageId: string
  answer: string
  /** Whether everything that it draws on is public. */
  isPublic: boolean
}

/** What webhooks listen to, and what they do in the transaction that keeps an answer. */
export function listenForWebhooks({ db, events, sender, newId, now }: WebhookRoomDeps) {
  const toWakeFor = new Set<string>()
  events.listen('webhooks.recorded', () => sender.wake())
  events.listen('conversation.completed', ({ messageId }) => {
    if (toWakeFor.delete(messageId)) sender.wake()
  })
  events.listen(
    'deflection.completed',
    async ({ knowledgeBaseId, conversationId, confidence, deflected }) => {
      const data = { conversation_id: conversationId, confidence, deflected }
      const happening = { event: 'deflection.completed', knowledgeBaseId, data, at: now() } as const
      const recorded = await db
        .transaction()
        .execute((transaction) =>
          recordWebhookEvent(transaction, { ...happening, threadId: conversationId }, newId),
        )
      if (recorded > 0) sender.wake()
    },
  )

  return {
    /** In the transaction that keeps a whole answer; `conversation.completed` is announced when it has ended. */
    onAnswerKept: async (transaction: WebhooksDb, kept: KeptAnswer): Promise<void> => {
      const { knowledgeBaseId, threadId, messageId } = kept
      const data = {
        conversation_id: threadId,
        message_id: messageId,
        // A webhook goes to whoever its maker named, and is listed for people who may not chat.
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
