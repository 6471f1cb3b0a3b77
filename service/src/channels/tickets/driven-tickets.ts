import type { EscalationReason } from '@citewell/contract/events'
import type { Events } from '../../platform/events/events.ts'
import { LIMITS } from '@citewell/contract/limits'
import { ANSWERING_LEASE_MS, createTicketEvents, POSTING_LOST_AFTER_MS } from './ticket-events.ts'
import {
  claimDueTickets,
  endTicketStep,
  lockTicket,
  updateTicket,
  wakeLostTickets,
  type OneTicket,
  type TicketFields,
  type TicketRow,
  type TicketsDb,
} from './tickets-store.ts'

/** What may be stored of a step besides who has the ticket. */
type TicketStepFields = Omit<TicketFields, 'answering_since'>

export interface DrivenTicketsDeps {
  db: TicketsDb
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

/** An answer that is stale this often is left to people. */
const MAX_DECISIONS = 4

export const ticketOf = (row: TicketRow): OneTicket => ({
  knowledgeBaseId: row.knowledge_base_id,
  integrationId: row.integration_id,
  ticketId: row.ticket_id,
})

/**
 * Tickets of help desks that this service reads and writes itself. What is decided is apart from what is posted: an answer counts, and its
 * event is recorded, in the transaction that notes its post.
 */
export function createDrivenTickets({ db, events, newId, now }: DrivenTicketsDeps) {
  const { recordEscalated, recordDeflected } = createTicketEvents({ newId, now })

  /** Something happened to a ticket: it is read at this time. A later time takes the place of an earlier one. */
  async function schedule(transaction: TicketsDb, of: OneTicket, at: Date): Promise<void> {
    const ticket = await lockTicket(transaction, of, now())
    if (ticket === undefined) return
    const dueAt = ticket.due_at !== null && ticket.due_at > at ? ticket.due_at : at
    await updateTicket(transaction, of, { due_at: dueAt }, now())
  }

  const claim = (most: number): Promise<TicketRow[]> =>
    claimDueTickets(db, { most, now: now(), leaseMs: ANSWERING_LEASE_MS })

  /** Has tickets read again whose answer was being posted by a process that died, and was not stored. */
  const wakeLost = (): Promise<void> =>
    wakeLostTickets(db, { now: now(), before: new Date(now().getTime() - POSTING_LOST_AFTER_MS) })

  /** Ends a step. `alongside` is what belongs to it, in the same transaction. @throws Error if another process has taken the ticket */
  async function end(
    claimed: TicketRow,
    given: {
      fields: TicketStepFields
      dueAt?: Date
      escalates?: EscalationReason | undefined
      alongside?: ((transaction: TicketsDb) => Promise<void>) | undefined
    },
  ): Promise<void> {
    await db.transaction().execute(async (transaction: TicketsDb) => {
      const fields = {
        ...given.fields,
        ...(given.escalates !== undefined && { status: 'escalated' as const, reason: given.escalates }),
        due_at: given.dueAt ?? null,
      }
      if (!(await endTicketStep(transaction, claimed, fields, now())))
        throw new Error('The ticket was taken over by another process.')
      if (given.escalates !== undefined)
        await recordEscalated(transaction, ticketOf(claimed), given.escalates)
      await given.alongside?.(transaction)
    })
    if (given.escalates !== undefined)
      events.announce('webhooks.recorded', { knowledgeBaseId: claimed.knowledge_base_id })
  }

  /** An answer was posted: it counts, and webhooks are told. */
  async function confirmPosted(transaction: TicketsDb, of: OneTicket): Promise<void> {
    const ticket = await lockTicket(transaction, of, now())
    if (ticket === undefined || !isAwaited(ticket)) return
    const answersGiven = Math.min(ticket.answers_given + 1, LIMITS.turnCap)
    const fields = { status: 'answered', answers_given: answersGiven, tries: 0 } as const
    await updateTicket(transaction, of, fields, now())
    await recordDeflected(transaction, of)
  }

  /** An answer will never be posted: a chat gets a person, a ticket is left `as` it is to people. */
  async function confirmFailed(
    transaction: TicketsDb,
    of: OneTicket,
    handles: 'tickets' | 'chats',
    as: 'open' | 'unanswered',
  ): Promise<void> {
    const ticket = await lockTicket(transaction, of, now())
    if (ticket === undefined || !isAwaited(ticket)) return
    if (handles === 'tickets') return await updateTicket(transaction, of, { status: as }, now())
    // Looked at again: where this service has the chat, nobody would get it otherwise.
    const fields = { status: 'escalated', reason: 'answer_failed', due_at: now() } as const
    await updateTicket(transaction, of, fields, now())
    await recordEscalated(transaction, of, 'answer_failed')
  }

  /** What an answer is about had changed before it was posted: it is decided again, but not for ever. Each time may cost a question. */
  async function decideAgain(
    transaction: TicketsDb,
    of: OneTicket,
    handles: 'tickets' | 'chats',
  ): Promise<void> {
    const ticket = await lockTicket(transaction, of, now())
    if (ticket === undefined || !isAwaited(ticket)) return
    const tries = ticket.tries + 1
    if (tries >= MAX_DECISIONS) return await confirmFailed(transaction, of, handles, 'unanswered')
    await updateTicket(transaction, of, { status: 'open', due_at: now(), tries }, now())
  }

  /** Notes what became of a post that is no answer, or that has to be looked at again. */
  async function note(transaction: TicketsDb, of: OneTicket, fields: TicketStepFields): Promise<void> {
    const ticket = await lockTicket(transaction, of, now())
    if (ticket !== undefined && isAwaited(ticket)) await updateTicket(transaction, of, fields, now())
  }

  return { schedule, claim, wakeLost, end, confirmPosted, confirmFailed, decideAgain, note }
}

const isAwaited = ({ status }: TicketRow) => status === 'posting' || status === 'unsure'

export type DrivenTickets = ReturnType<typeof createDrivenTickets>
