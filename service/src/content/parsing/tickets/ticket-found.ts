import type { LeftOutReason } from '@citewell/contract/ticket-files'

/** A past ticket of a file: its first message of the customer, and what an agent answered first. Untrusted. */
export interface ReadTicket {
  ref: string | null
  subject: string | null
  body: string
  /** ISO 8601, in UTC. */
  askedAt: string | null
  tags: string[]
  agentReply: string | null
}

/** A ticket as a file has it, before it is known whether a customer asked something in it. */
export interface FoundTicket extends ReadTicket {
  /** Why no customer would have been answered, where the file itself says so. */
  isNone: LeftOutReason | undefined
  hasAttachment: boolean
}

export interface LeftOutTickets {
  reason: LeftOutReason
  count: number
  /** Of the first ones. */
  refs: string[]
}

/** How many tickets are tried at most, and which of them. */
export interface TicketSample {
  most: number
  by: 'random' | 'month_and_tag'
  seed: number
}

export interface ReadTickets {
  format: 'table' | 'lines' | 'json' | 'zendesk' | 'mbox'
  /** Tickets in the file, with those that were left out. */
  found: number
  tickets: ReadTicket[]
  leftOut: LeftOutTickets[]
  /** How many `tickets` were drawn from; undefined: they are all. */
  drawnFrom: number | undefined
}

const MAX = { ref: 200, subject: 500, tag: 100, tags: 20 }

/** A text on one line, cut off; null if there is nothing. */
function lineOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
    .slice(0, most * 4)
    .replaceAll('\0', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' ? null : text.slice(0, most).toWellFormed()
}

export const refOf = (value: unknown) => lineOf(value, MAX.ref)
export const subjectOf = (value: unknown) => lineOf(value, MAX.subject)

/** A list, or words that are separated by a comma, semicolon or bar. */
export function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'string'
      ? value.slice(0, 4_000).split(/[,;|]/)
      : []
  const tags = list.slice(0, 200).flatMap((tag) => lineOf(tag, MAX.tag) ?? [])
  return [...new Set(tags)].slice(0, MAX.tags)
}

/** Tickets are of the time of help desks. */
const [FIRST, LAST] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

export function timeOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().slice(0, 80) : ''
  if (text === '') return null
  // A time without its zone is read as UTC, so that the month does not depend on this machine.
  const zoned = /(?:z|[+-]\d{2}:?\d{2}|\b[a-z]{3,4}|\))$/i.test(text) || !/\d:\d/.test(text)
  const at = Date.parse(zoned ? text : `${text.replace(' ', 'T')}Z`)
  const known = Number.isNaN(at) ? Date.parse(text) : at
  return known >= FIRST && known < LAST ? new Date(known).toISOString() : null
}
