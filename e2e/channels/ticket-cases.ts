import type { DeskSide } from './desk-sides.ts'
import { OFF_TOPIC, QUESTION, ROTATION } from '../../service/test/webhook-world.ts'

/** What a customer, a person of the team, or a program does on a ticket. */
export type TicketKind =
  | 'one message'
  | 'two fast messages'
  | 'a person answers before'
  | 'a person answers meanwhile'
  | 'a program'
  | 'a program that answers each answer'
  | 'a program that hides what it is'
  | 'the customer writes twice after the answer'
  | 'not covered'
  | 'nothing but a signature'

/** What has to become of a ticket. */
export interface Expected {
  /** Answers that the customer gets. */
  answers: 0 | 1
  /** Events in their order, each with its reason. */
  events: readonly ('ticket.deflected' | 'ticket.escalated customer_replied')[]
  /** Its status afterwards; undefined where it need not be known here. */
  status: string | undefined
}

const ANSWERED: Expected = { answers: 1, events: ['ticket.deflected'], status: 'answered' }
const ESCALATED: Expected = {
  answers: 1,
  events: ['ticket.deflected', 'ticket.escalated customer_replied'],
  status: 'escalated',
}
const WITH_PEOPLE: Expected = { answers: 0, events: [], status: 'with_people' }
const UNANSWERED: Expected = { answers: 0, events: [], status: 'unanswered' }

export const EXPECTED: Record<TicketKind, Expected> = {
  'one message': ANSWERED,
  'two fast messages': ANSWERED,
  'a person answers before': WITH_PEOPLE,
  'a person answers meanwhile': WITH_PEOPLE,
  'a program': { answers: 0, events: [], status: undefined },
  'a program that answers each answer': ANSWERED,
  'a program that hides what it is': ESCALATED,
  'the customer writes twice after the answer': ESCALATED,
  'not covered': UNANSWERED,
  'nothing but a signature': UNANSWERED,
}

const OTHERS: readonly TicketKind[] = [
  'one message',
  'a person answers before',
  'a person answers meanwhile',
  'a program that answers each answer',
  'the customer writes twice after the answer',
  'a program',
  'a program that hides what it is',
  'not covered',
  'nothing but a signature',
]

/** A third of the tickets have two fast messages; the others take turns. */
export const kindOf = (number: number): TicketKind =>
  number % 3 === 0
    ? 'two fast messages'
    : (OTHERS[Math.floor((number * 2) / 3) % OTHERS.length] ?? 'one message')

export interface TicketCase {
  number: number
  kind: TicketKind
  side: DeskSide
  ticket: string
  /** Answers that somebody reacted to. */
  heard: number
}

/** Finds the ticket whose answer a model is asked for. */
const marked = (side: DeskSide, number: number) => `It is for number ${number} of ${side.name}.`
export const MARK = /It is for number (\d+) of ([a-z]+)\./

/** The ticket arrives, with everything that happens before an answer can be there. */
export async function openCase(side: DeskSide, number: number): Promise<TicketCase> {
  const kind = kindOf(number)
  const asked = `${QUESTION} ${marked(side, number)}`
  const text =
    kind === 'two fast messages'
      ? 'Hello,'
      : kind === 'not covered'
        ? OFF_TOPIC
        : kind === 'nothing but a signature'
          ? '-- \nAda\nAcme Inc.'
          : asked
  const ticket = await side.open(number, text, { isAutomatic: kind === 'a program' })
  if (kind === 'two fast messages') await side.writesAgain(number, ticket, asked)
  if (kind === 'a person answers before') await side.agentWrites(ticket, 'I am on it.')
  return { number, kind, side, ticket, heard: 0 }
}

/** What a customer or a program does when an answer has arrived. */
export async function reactTo(one: TicketCase): Promise<void> {
  const { kind, side, number, ticket } = one
  if (kind === 'a program that answers each answer')
    await side.writesAgain(number, ticket, `I am away. You wrote: ${ROTATION}`, { isAutomatic: true })
  if (kind === 'a program that hides what it is')
    await side.writesAgain(number, ticket, 'Thank you for your message. We will answer soon.')
  if (kind === 'the customer writes twice after the answer') {
    await side.writesAgain(number, ticket, 'That does not help.')
    await side.writesAgain(number, ticket, 'Hello?')
  }
}
