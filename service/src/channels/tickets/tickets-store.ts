import type { HelpdeskTicketsTable } from './helpdesk-tickets-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { hasIntegration } from '../integrations/integrations.ts'

/** Includes the tables of the webhooks, because a ticket records its webhook events in the same transaction. */
export type TicketsDb = Db<
  | 'helpdesk_tickets'
  | 'integrations'
  | 'webhook_triggers'
  | 'webhook_deliveries'
  | 'knowledge_bases'
  | 'workspaces'
>

export type TicketRow = HelpdeskTicketsTable

export interface OneTicket {
  knowledgeBaseId: string
  integrationId: string
  ticketId: string
}

/** Locks the ticket until the transaction ends, and creates it if missing; undefined if its integration was deleted meanwhile. */
export async function lockTicket(
  transaction: TicketsDb,
  of: OneTicket,
  now: Date,
): Promise<TicketRow | undefined> {
  const integration = { knowledgeBaseId: of.knowledgeBaseId, id: of.integrationId }
  if (!(await hasIntegration(transaction, integration, { locks: true }))) return undefined
  await transaction
    .insertInto('helpdesk_tickets')
    .values({
      knowledge_base_id: of.knowledgeBaseId,
      integration_id: of.integrationId,
      ticket_id: of.ticketId,
      thread_id: null,
      answers_given: 0,
      answering_since: null,
      status: 'open',
      reason: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await transaction
    .selectFrom('helpdesk_tickets')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('integration_id', '=', of.integrationId)
    .where('ticket_id', '=', of.ticketId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export type TicketFields = Partial<
  Pick<TicketRow, 'thread_id' | 'answers_given' | 'answering_since' | 'status' | 'reason'>
>

export async function updateTicket(
  transaction: TicketsDb,
  of: OneTicket,
  fields: TicketFields,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('helpdesk_tickets')
    .set({ ...fields, updated_at: now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('integration_id', '=', of.integrationId)
    .where('ticket_id', '=', of.ticketId)
    .execute()
}
