import { sql } from 'kysely'
import type { HelpdeskTicketsTable } from './helpdesk-tickets-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { hasIntegration } from '../integrations/integrations.ts'

/** Includes the tables of the webhooks and of posts, because a ticket records its webhook events and its post in the same transaction. */
export type TicketsDb = Db<
  | 'helpdesk_tickets'
  | 'platform_posts'
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
      due_at: null,
      tries: 0,
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
  Pick<
    TicketRow,
    'thread_id' | 'answers_given' | 'answering_since' | 'status' | 'reason' | 'due_at' | 'tries'
  >
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

/** Makes tickets due whose post has had no end since a time, and that nobody would look at again. */
export async function wakeLostTickets(
  db: TicketsDb,
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable('helpdesk_tickets')
    .set({ due_at: now })
    .where('status', '=', 'posting')
    .where('due_at', 'is', null)
    .where('answering_since', 'is', null)
    .where('updated_at', '<', before)
    .execute()
}

/** Takes tickets whose next step is due for this process, at most so many; one that another process took is free again after the lease. */
export async function claimDueTickets(
  db: TicketsDb,
  given: { most: number; now: Date; leaseMs: number },
): Promise<TicketRow[]> {
  return await db.transaction().execute(async (transaction) => {
    const due = await transaction
      .selectFrom('helpdesk_tickets')
      .select(['knowledge_base_id', 'integration_id', 'ticket_id'])
      .where('due_at', '<=', given.now)
      .where((is) =>
        is.or([
          is('answering_since', 'is', null),
          is('answering_since', '<=', new Date(given.now.getTime() - given.leaseMs)),
        ]),
      )
      .orderBy('due_at')
      .limit(given.most)
      .forUpdate()
      .skipLocked()
      .execute()
    if (due.length === 0) return []
    return await transaction
      .updateTable('helpdesk_tickets')
      .set({ answering_since: given.now })
      .where((is) =>
        is(
          is.refTuple('knowledge_base_id', 'integration_id', 'ticket_id'),
          'in',
          due.map((row) => is.tuple(row.knowledge_base_id, row.integration_id, row.ticket_id)),
        ),
      )
      .returningAll()
      .execute()
  })
}

/**
 * Ends the step that this process took. `due_at` is what is due next; if something happened to the ticket meanwhile, that is due instead.
 * Returns whether this process still had it.
 */
export async function endTicketStep(
  transaction: TicketsDb,
  claimed: Pick<
    TicketRow,
    'knowledge_base_id' | 'integration_id' | 'ticket_id' | 'answering_since' | 'due_at'
  >,
  { due_at: next, ...fields }: TicketFields & { due_at: Date | null },
  now: Date,
): Promise<boolean> {
  const result = await transaction
    .updateTable('helpdesk_tickets')
    .set({
      ...fields,
      due_at: sql<Date | null>`case when due_at is distinct from ${claimed.due_at} then due_at else ${next} end`,
      answering_since: null,
      updated_at: now,
    })
    .where('knowledge_base_id', '=', claimed.knowledge_base_id)
    .where('integration_id', '=', claimed.integration_id)
    .where('ticket_id', '=', claimed.ticket_id)
    .where('answering_since', '=', claimed.answering_since)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}
