import type { EscalationReason } from '@citewell/contract/events'
import type { TicketMessage, TicketOutcome } from '@citewell/contract/tickets'
import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Answering } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { requireExternal, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'
import { answerTicket, type TicketAnswer } from './answer-ticket.ts'
import { ANSWERING_LEASE_MS, createTicketEvents } from './ticket-events.ts'
import { firstStep, nextStep, type NextStep } from './ticket-rules.ts'
import { lockTicket, updateTicket, type OneTicket, type TicketRow, type TicketsDb } from './tickets-store.ts'

export { answerTicket, type TicketAnswer } from './answer-ticket.ts'
export { asksForPerson } from './asks-for-person.ts'
export { createDrivenTickets, ticketOf, type DrivenTickets } from './driven-tickets.ts'
export { ANSWERING_LEASE_MS, POSTING_LOST_AFTER_MS } from './ticket-events.ts'
export { firstStep, nextStep } from './ticket-rules.ts'
export type { TicketRow, TicketsDb } from './tickets-store.ts'

export interface TicketsDeps {
  db: TicketsDb
  integrations: Pick<Integrations['helpdeskIntegrations'], 'open'>
  answering: Pick<Answering, 'answerQuestion'>
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

const NOTHING = { reason: null, answer: null, citations: [], confidence: null }

/** Messages of customers over an integration: answered, or escalated to a person. Webhook events are recorded in the same transaction. */
export function createTickets({ db, integrations, answering, events, newId, now }: TicketsDeps) {
  const { recordEscalated, recordDeflected } = createTicketEvents({ newId, now })

  async function escalate(transaction: TicketsDb, of: OneTicket, reason: EscalationReason): Promise<void> {
    await updateTicket(transaction, of, { status: 'escalated', reason, answering_since: null }, now())
    await recordEscalated(transaction, of, reason)
  }

  /** Decides everything that needs no answer; otherwise marks the ticket as being answered. */
  async function begin(
    of: OneTicket,
    integration: IntegrationRow,
    asksForPerson: boolean,
  ): Promise<{ ticket: TicketRow; outcome: TicketOutcome | undefined }> {
    return await db.transaction().execute(async (transaction: TicketsDb) => {
      const ticket = await lockTicket(transaction, of, now())
      if (ticket === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such integration.' })
      const since = ticket.answering_since
      if (since !== null && now().getTime() - since.getTime() < ANSWERING_LEASE_MS)
        throw new Refusal('CONFLICT', {
          because: 'An answer to this ticket is being written. Try again when it is finished.',
        })
      const step = firstStep(integration.handles ?? 'tickets', ticket, asksForPerson)
      const commonFields = { ...NOTHING, ticket_id: of.ticketId, answers_given: ticket.answers_given }
      if (step.do === 'answer') {
        await updateTicket(transaction, of, { answering_since: now() }, now())
        return { ticket, outcome: undefined }
      }
      if (step.do === 'escalate') {
        await escalate(transaction, of, step.reason)
        return { ticket, outcome: { ...commonFields, outcome: 'escalated', reason: step.reason } }
      }
      if (ticket.status !== 'escalated')
        return { ticket, outcome: { ...commonFields, outcome: 'unanswered' } }
      // The column holds only reasons of the contract.
      const reason = ticket.reason as EscalationReason | null
      return { ticket, outcome: { ...commonFields, outcome: 'escalated', reason } }
    })
  }

  async function storeAnswer(of: OneTicket, ticket: TicketRow, answered: TicketAnswer, step: NextStep) {
    const answersGiven = ticket.answers_given + (step.do === 'post' ? 1 : 0)
    await db.transaction().execute(async (transaction: TicketsDb) => {
      const kept = {
        thread_id: answered.threadId ?? null,
        answers_given: answersGiven,
        answering_since: null,
      }
      await updateTicket(transaction, of, kept, now())
      if (step.do === 'escalate') return await escalate(transaction, of, step.reason)
      if (step.do === 'leave') {
        const status = step.canRetry ? 'open' : 'unanswered'
        return await updateTicket(transaction, of, { status }, now())
      }
      await updateTicket(transaction, of, { status: 'answered' }, now())
      return await recordDeflected(transaction, of)
    })
    return answersGiven
  }

  /** Handles a message of a customer, and returns the outcome. @throws Refusal CONFLICT while an answer is being written */
  async function take(
    { row: integration, base }: { row: IntegrationRow; base: KnowledgeBaseRow },
    message: TicketMessage,
    signal: AbortSignal,
  ): Promise<TicketOutcome> {
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, ticketId: message.ticket_id }
    const { ticket, outcome } = await begin(of, integration, message.customer_asked_for_person)
    if (outcome !== undefined) {
      events.announce('webhooks.recorded', { knowledgeBaseId: base.id })
      return outcome
    }
    const { subject, body } = message
    const threadId = ticket.thread_id ?? undefined
    const userRef = `${integration.id}:${message.ticket_id}`
    try {
      const answered = await answerTicket(answering, { base, subject, body, threadId, userRef }, signal)
      // The client has disconnected and cannot post the answer: it may send the message again.
      signal.throwIfAborted()
      const step = nextStep(integration.handles ?? 'tickets', answered.outcome)
      const answersGiven = await storeAnswer(of, ticket, answered, step)
      events.announce('webhooks.recorded', { knowledgeBaseId: base.id })
      return {
        ticket_id: message.ticket_id,
        outcome: OUTCOMES[step.do],
        reason: step.do === 'escalate' ? step.reason : null,
        answer: answered.answer ?? null,
        citations: answered.citations,
        confidence: answered.confidence ?? null,
        answers_given: answersGiven,
      }
    } catch (fault) {
      await updateTicket(db, of, { answering_since: null }, now())
      throw fault
    }
  }

  /** The same for the integration of this id. @throws Refusal CONFLICT if it is disabled, KNOWLEDGE_BASE_INTERNAL */
  async function takeMessage(
    caller: Caller,
    integrationId: string,
    message: TicketMessage,
    signal: AbortSignal,
  ): Promise<TicketOutcome> {
    const opened = await integrations.open(caller, integrationId, { permission: 'config', active: true })
    requireExternal(opened.base)
    if (!opened.row.enabled) throw new Refusal('CONFLICT', { because: 'This integration is switched off.' })
    return await take(opened, message, signal)
  }

  return { takeMessage }
}

const OUTCOMES = { post: 'answered', escalate: 'escalated', leave: 'unanswered' } as const

export type Tickets = ReturnType<typeof createTickets>
