import { parseCsv, separatorOf } from '../../../kernel/csv.ts'
import { refOf, subjectOf, tagsOf, timeOf, type FoundTicket } from './ticket-found.ts'

/** Names of columns and fields, in lower case. The first that is there counts. */
const NAMES = {
  body: ['body', 'description', 'message', 'question', 'text', 'comment', 'content'],
  subject: ['subject', 'title', 'summary'],
  ref: ['ref', 'id', 'ticket', 'ticket_id', 'ticket id', 'number', 'key'],
  askedAt: ['created_at', 'created at', 'created', 'asked_at', 'opened_at', 'date'],
  tags: ['tags', 'labels', 'tag', 'category'],
  agentReply: [
    'first_agent_reply',
    'agent_reply',
    'agent reply',
    'first reply',
    'reply',
    'answer',
    'response',
  ],
} as const

type Name = keyof typeof NAMES

/** The value of a field by any of its names. */
type ValueOf = (name: Name) => unknown

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function ticketFrom(valueOf: ValueOf): FoundTicket {
  const reply = textOf(valueOf('agentReply'))
  return {
    ref: refOf(valueOf('ref')),
    subject: subjectOf(valueOf('subject')),
    body: textOf(valueOf('body')),
    askedAt: timeOf(valueOf('askedAt')),
    tags: tagsOf(valueOf('tags')),
    agentReply: reply.trim() === '' ? null : reply,
    isNone: undefined,
    hasAttachment: false,
  }
}

/** A ticket of an object whose fields have the names of columns; undefined if it has no text and no subject. */
export function ticketOfObject(given: Readonly<Record<string, unknown>>): FoundTicket | undefined {
  const fields = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  const nameOf = (name: Name) => NAMES[name].find((known) => fields.has(known))
  if (nameOf('body') === undefined && nameOf('subject') === undefined) return undefined
  return ticketFrom((name) => fields.get(nameOf(name) ?? ''))
}

/** The tickets of a table whose first row names its columns. `unnamed`: it names some, and none holds the text of a ticket. Undefined: it is no table. */
export function ticketsOfTable(text: string, most: number): FoundTicket[] | 'unnamed' | undefined {
  const separator = separatorOf(text)
  const [head] = parseCsv(text.slice(0, text.search(/[\r\n]|$/)), { separator })
  const header = (head?.fields ?? []).map((name) => name.trim().toLowerCase())
  const places = new Map<Name, number>()
  for (const name of Object.keys(NAMES) as Name[]) {
    const known = NAMES[name].find((one) => header.includes(one))
    if (known !== undefined) places.set(name, header.indexOf(known))
  }
  if (!places.has('body')) return header.length > 1 && places.size > 0 ? 'unnamed' : undefined
  return parseCsv(text, { separator, most: most + 1 })
    .slice(1)
    .map(({ fields }) => ticketFrom((name) => fields[places.get(name) ?? -1]))
}

/** One question a line. */
export const ticketsOfLines = (text: string, most: number): FoundTicket[] =>
  text
    .split(/\r\n|\n|\r/, most)
    .filter((line) => line.trim() !== '')
    .map((line) => ticketFrom((name) => (name === 'body' ? line : undefined)))
