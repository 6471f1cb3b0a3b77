import type { EscalationReason } from '@citewell/contract/events'
import { LIMITS } from '@citewell/contract/limits'
import type { TicketAnswer } from './answer-ticket.ts'
import type { TicketRow } from './tickets-store.ts'

/** What to do with a message before anything is answered. */
export type FirstStep =
  | { do: 'answer' }
  | { do: 'escalate'; reason: EscalationReason }
  /** It is with the people already. */
  | { do: 'leave' }

/** A ticket gets one answer, and a person when the customer writes again; a chat gets five, or a person as soon as it is asked for. */
export function firstStep(
  handles: 'tickets' | 'chats',
  ticket: Pick<TicketRow, 'status' | 'answers_given'>,
  customerAskedForPerson: boolean,
): FirstStep {
  if (ticket.status === 'escalated') return { do: 'leave' }
  if (handles === 'tickets') {
    if (ticket.status === 'answered') return { do: 'escalate', reason: 'customer_replied' }
    return { do: ticket.status === 'unanswered' ? 'leave' : 'answer' }
  }
  if (customerAskedForPerson) return { do: 'escalate', reason: 'customer_asked' }
  if (ticket.answers_given >= LIMITS.turnCap) return { do: 'escalate', reason: 'turn_cap' }
  return { do: 'answer' }
}

/** What follows from an answer, or from there being none. */
export type NextStep =
  | { do: 'post' }
  | { do: 'escalate'; reason: EscalationReason }
  | { do: 'leave'; mayBeTriedAgain: boolean }

export function nextStep(handles: 'tickets' | 'chats', outcome: TicketAnswer['outcome']): NextStep {
  if (outcome === 'deflected') return { do: 'post' }
  if (handles === 'chats') return { do: 'escalate', reason: outcome }
  return { do: 'leave', mayBeTriedAgain: outcome === 'answer_failed' }
}
