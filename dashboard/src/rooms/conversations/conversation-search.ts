import { SURFACES } from '@citewell/contract/closed-lists'
import { LIMITS } from '@citewell/contract/limits'

/** What the list is limited to, in the address of the screen. */
export interface ConversationSearch {
  show?: 'not-covered' | 'down' | 'up' | undefined
  /** Words of a question or its answer. */
  q?: string | undefined
  where?: (typeof SURFACES)[number] | undefined
  /** The first and the last day. */
  from?: string | undefined
  to?: string | undefined
}

const SHOWN = ['not-covered', 'down', 'up'] as const

/** An address has a number where the words are one: `?q=404`. */
const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, LIMITS.conversationText).trim() || undefined
    : undefined

/** A day that exists, such as 2026-03-09. */
const dayOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const time = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(value) ? undefined : value
}

/** Reads it; what cannot be one is left out. */
export function readConversationSearch(search: Record<string, unknown>): ConversationSearch {
  const read: ConversationSearch = {
    show: SHOWN.find((one) => one === search['show']),
    q: wordsOf(search['q']),
    where: SURFACES.find((one) => one === search['where']),
    from: dayOf(search['from']),
    to: dayOf(search['to']),
  }
  if (read.from !== undefined && read.to !== undefined && read.from > read.to) delete read.to
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** The same, as the service takes it, for the list and for its exports. */
export const filterOf = ({ show, q, where, from, to }: ConversationSearch) => ({
  ...(show === 'not-covered' && { covered: 'false' as const }),
  ...((show === 'up' || show === 'down') && { rating: show }),
  ...(q !== undefined && { text: q }),
  ...(where !== undefined && { surface: where }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

/** The days with one of them changed: the other goes where it would leave none between them, which the service refuses. */
export function withDay(
  { from = '', to = '' }: ConversationSearch,
  change: { from: string } | { to: string },
): { from: string; to: string } {
  const next = { from, to, ...change }
  if (next.from === '' || next.to === '' || next.from <= next.to) return next
  return 'from' in change ? { ...next, to: '' } : { ...next, from: '' }
}
