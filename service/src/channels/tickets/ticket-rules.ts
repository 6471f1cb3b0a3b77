import type { EscalationReason } from '@citewell/contract/events'
import { LIMITS } from '@citewell/contract/limits'
import type { TicketAnswer } from './answer-ticket.ts'
import type { TicketRow } from './tickets-store.ts'

/** What to do with a message before any answer. */
export type FirstStep =
  | { do: 'answer' }
  | { do: 'escalate'; reason: EscalationReason }
  /** A person handles it already. */
  | { do: 'leave' }

/**
 * A ticket gets one answer, and a person when the customer replies; a chat gets five answers, or a person as soon as the customer asks for
 * one.
 */
export function firstStep(
  handles: 'tickets' | 'chats',
  ticket: Pick<TicketRow, 'status' | 'answers_given'>,
  customerAskedForPerson: boolean,
): FirstStep {
  if (ticket.status !== 'open' && ticket.status !== 'answered') return { do: 'leave' }
  if (handles === 'tickets')
    return ticket.status === 'answered' ? { do: 'escalate', reason: 'customer_replied' } : { do: 'answer' }
  if (customerAskedForPerson) return { do: 'escalate', reason: 'customer_asked' }
  if (ticket.answers_given >= LIMITS.turnCap) return { do: 'escalate', reason: 'turn_cap' }
  return { do: 'answer' }
}

/** What to do after an answer, or if there is none. */
export type NextStep =
  | { do: 'post' }
  | { do: 'escalate'; reason: EscalationReason }
  | { do: 'leave'; canRetry: boolean }

export function nextStep(handles: 'tickets' | 'chats', outcome: TicketAnswer['outcome']): NextStep {
  if (outcome === 'deflected') return { do: 'post' }
  if (handles === 'chats') return { do: 'escalate', reason: outcome }
  return { do: 'leave', canRetry: outcome === 'answer_failed' }
}
