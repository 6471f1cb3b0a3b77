import { LIMITS } from '@citewell/contract/limits'
import type { WebhookBody, WebhookEventData, WebhookEventName } from '@citewell/contract/events'
import { findSubscribers, insertDeliveries, type WebhooksDb } from './webhook-deliveries-store.ts'

/** An event for webhooks. */
export interface WebhookEvent<Name extends WebhookEventName = WebhookEventName> {
  event: Name
  knowledgeBaseId: string
  data: WebhookEventData<Name>
  at: Date
  /** The stored conversation that the data is about: when it is deleted, its deliveries are deleted too. */
  threadId?: string
}

/**
 * Records what has to be sent, one delivery for each webhook that subscribes to the event. Call it in the transaction that makes the event
 * true (outbox): a crash can then neither lose it nor send an event that was rolled back. Nothing is sent yet: announce `webhooks.recorded`
 * afterwards.
 *
 * @returns the number of deliveries to send
 */
export async function recordWebhookEvent<Name extends WebhookEventName>(
  transaction: WebhooksDb,
  happening: WebhookEvent<Name>,
  newId: () => string,
): Promise<number> {
  const { event, knowledgeBaseId, data, at } = happening
  const listening = await findSubscribers(transaction, knowledgeBaseId, event)
  if (listening.length === 0) return 0
  const body: WebhookBody = { event, knowledge_base_id: knowledgeBaseId, data, timestamp: at.toISOString() }
  const text = JSON.stringify(body)
  const rows = listening.map(({ id: triggerId, origin }) => {
    const id = newId()
    return {
      knowledge_base_id: knowledgeBaseId,
      id,
      trigger_id: triggerId,
      thread_id: happening.threadId ?? null,
      message_id: id,
      redelivery_of: null,
      event,
      body: text,
      origin,
      status: 'pending' as const,
      created_at: at,
      updated_at: at,
    }
  })
  await insertDeliveries(transaction, rows)
  return rows.length
}

/** The beginning of an answer: whole characters, cut at a word. */
export function answerExcerpt(answer: string): string {
  const most = LIMITS.webhooks.answerExcerpt
  const characters = Array.from(answer.trim())
  if (characters.length <= most) return characters.join('')
  const cut = characters.slice(0, most - 1).join('')
  const atWord = cut.search(/\s\S*$/)
  return `${(atWord > 0 ? cut.slice(0, atWord) : cut).trimEnd()}…`
}
