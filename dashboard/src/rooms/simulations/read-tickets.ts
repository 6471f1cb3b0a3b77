import { LIMITS } from '@citewell/contract/limits'
import type { NewSimulation } from '@citewell/sdk/management'
import { parseCsv } from './parse-csv.ts'

export type TicketGiven = NewSimulation['tickets'][number]

/** Names that a column may have, in lower case. */
const COLUMNS = {
  body: ['body', 'description', 'message', 'question', 'text', 'comment', 'content'],
  subject: ['subject', 'title', 'summary'],
  ref: ['ref', 'id', 'ticket', 'ticket_id', 'ticket id', 'number', 'key'],
} as const

export interface ReadTickets {
  tickets: TicketGiven[]
  /** What was left out, and why; a sentence each. */
  leftOut: string[]
}

const cut = (value: string | undefined, characters: number): string | null => {
  const text = (value ?? '').trim()
  return text === '' ? null : text.slice(0, characters)
}

const columnOf = (header: readonly string[], names: readonly string[]): number =>
  header.findIndex((name) => names.includes(name.trim().toLowerCase()))

/** The tickets of a table whose first row names its columns; undefined if it names none that holds the text of a ticket. */
function ticketsOfTable(rows: readonly string[][]): TicketGiven[] | undefined {
  const [header, ...rest] = rows
  const body = columnOf(header ?? [], COLUMNS.body)
  if (header === undefined || body < 0) return undefined
  const [subject, ref] = [columnOf(header, COLUMNS.subject), columnOf(header, COLUMNS.ref)]
  return rest.map((row) => ({
    ref: cut(row[ref], 200),
    subject: cut(row[subject], 500),
    body: (row[body] ?? '').trim(),
  }))
}

/**
 * The tickets in a pasted text or a file: comma-separated values with a header that names a column `body` (or `description`, `message`,
 * `question`, `text`), and perhaps `subject` and `ref`; otherwise one question a line.
 */
export function readTickets(text: string): ReadTickets {
  const lines = text.split(/\r\n|\n|\r/).map((line) => ({ ref: null, subject: null, body: line.trim() }))
  const all = ticketsOfTable(parseCsv(text)) ?? lines
  const filled = all.filter(({ body }) => body !== '')
  const short = filled.filter(({ body }) => Array.from(body).length <= LIMITS.ticketText)
  const tickets = short.slice(0, LIMITS.simulationTickets)
  const says = (number: number, why: string) => (number === 0 ? [] : [`${number} left out: ${why}.`])
  return {
    tickets,
    leftOut: [
      ...says(
        filled.length - short.length,
        `longer than ${LIMITS.ticketText.toLocaleString('en')} characters`,
      ),
      ...says(short.length - tickets.length, `a run has at most ${LIMITS.simulationTickets} tickets`),
    ],
  }
}
