import type { EscalationReason } from '@citewell/contract/events'
import { asksForPerson, firstStep, type TicketRow } from '../tickets/tickets.ts'
import { isWorthAnswering, wordsOfCustomer } from './customer-words.ts'
import type { DeskMessage, DeskTicket } from './help-desk.ts'

/** What to do with a ticket as it is read. */
export type DeskStep =
  /** Nothing more, whoever handles it: `status` is noted if there is one. */
  | { do: 'leave'; status?: TicketRow['status'] }
  | { do: 'answer'; subject: string; body: string }
  | { do: 'escalate'; reason: EscalationReason }
  /** It is for people, and nobody but us has it: they get it without a word and without an event. */
  | { do: 'pass_on'; status?: TicketRow['status'] }
  /** Our reply is there, although its post was not confirmed. */
  | { do: 'confirm' }
  /** It is not there, and may still come: it is not posted again. */
  | { do: 'give_up' }

const lastIndex = (messages: readonly DeskMessage[], is: (message: DeskMessage) => boolean): number =>
  messages.findLastIndex(is)

/** What people have stays theirs; if it came back here, and its customer wrote, they get it again. */
function leaveToPeople(
  { messages, isHeldHere }: DeskTicket,
  noted: { status?: TicketRow['status'] } = {},
): DeskStep {
  const isWaiting = isHeldHere === true && messages.at(-1)?.by === 'customer'
  return { do: isWaiting ? 'pass_on' : 'leave', ...noted }
}

/** Undefined: its customer waits for an answer. */
function stepOfUnconfirmed(
  { status, answers_given: answersGiven }: Pick<TicketRow, 'status' | 'answers_given'>,
  messages: readonly DeskMessage[],
): DeskStep {
  if (status === 'posting') return { do: 'leave' }
  // A chat has earlier answers of ours.
  const replies = messages.filter(({ by, isInternal }) => by === 'us' && !isInternal)
  return { do: replies.length > answersGiven ? 'confirm' : 'give_up' }
}

/**
 * A person of the team who writes ends our part, for good and without an event. Otherwise the rules of tickets and chats hold
 * (`ticket-rules.ts`) for what the customer wrote since our last answer.
 */
export function decideDeskStep(
  handles: 'tickets' | 'chats',
  ticket: Pick<TicketRow, 'status' | 'answers_given'>,
  read: DeskTicket,
): DeskStep {
  const { messages, isOpen, isOurs, subject } = read
  if (ticket.status === 'with_people' || ticket.status === 'escalated') return leaveToPeople(read)
  if (messages.some(({ by }) => by === 'team')) return leaveToPeople(read, { status: 'with_people' })
  if (ticket.status === 'posting' || ticket.status === 'unsure') return stepOfUnconfirmed(ticket, messages)
  const since = messages.slice(lastIndex(messages, ({ by }) => by === 'us') + 1)
  const written = since.filter(({ by, isInternal }) => by === 'customer' && !isInternal)
  if (!isOurs) return leaveToPeople(read)
  if (!isOpen || written.length === 0) return { do: 'leave' }
  // A program that answers by itself must not get an answer, or both go on for ever.
  if (written.some(({ isAutomatic }) => isAutomatic)) return { do: 'leave' }
  const body = wordsOfCustomer(written)
  const step = firstStep(handles, ticket, asksForPerson(body))
  if (step.do !== 'answer') return step
  if (isWorthAnswering(body)) return { do: 'answer', subject, body }
  if (handles === 'tickets') return { do: 'leave', status: 'unanswered' }
  // A chat goes on: thumbs up are no question, and a picture alone is one that only a person understands.
  return body === '' ? { do: 'escalate', reason: 'low_confidence' } : { do: 'leave' }
}
