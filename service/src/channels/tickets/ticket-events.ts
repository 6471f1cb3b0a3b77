import type { EscalationReason } from '@citewell/contract/events'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import type { OneTicket, TicketsDb } from './tickets-store.ts'

/** Longer than any answer takes; the lease of a process that died while answering expires after this time. */
export const ANSWERING_LEASE_MS = 3 * 60 * 1_000

/** Longer than any post is tried: whose end is still not known then, its process has died with it. */
export const POSTING_LOST_AFTER_MS = 20 * 60 * 1_000

/** Records the webhook events of tickets. Call them in the transaction that makes them true. */
export function createTicketEvents({ newId, now }: { newId: () => string; now: () => Date }) {
  async function recordEscalated(
    transaction: TicketsDb,
    { knowledgeBaseId, integrationId, ticketId }: OneTicket,
    reason: EscalationReason,
  ): Promise<void> {
    const data = { integration_id: integrationId, ticket_id: ticketId, reason }
    await recordWebhookEvent(
      transaction,
      { event: 'ticket.escalated', knowledgeBaseId, data, at: now() },
      newId,
    )
  }

  async function recordDeflected(
    transaction: TicketsDb,
    { knowledgeBaseId, integrationId, ticketId }: OneTicket,
  ): Promise<void> {
    const data = { integration_id: integrationId, ticket_id: ticketId }
    await recordWebhookEvent(
      transaction,
      { event: 'ticket.deflected', knowledgeBaseId, data, at: now() },
      newId,
    )
  }

  return { recordEscalated, recordDeflected }
}
