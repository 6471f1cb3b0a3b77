import { DAY_MS } from './duration.ts'
import { Refusal } from './refusal.ts'

const isDay = (moment: string) => !moment.includes('T')

/** A `to` of `2026-03-09` includes that day. */
const endOf = (moment: string) => new Date(Date.parse(moment) + (isDay(moment) ? DAY_MS : 0))

/**
 * Parses the date range of a query: `from` is inclusive, `before` exclusive. Either may be a day in UTC, or a time.
 *
 * @throws Refusal BAD_REQUEST for a range that ends before it begins
 */
export function parseDateRange(query: { from?: string | undefined; to?: string | undefined }): {
  from: Date | undefined
  before: Date | undefined
} {
  const from = query.from === undefined ? undefined : new Date(query.from)
  const before = query.to === undefined ? undefined : endOf(query.to)
  if (from !== undefined && before !== undefined && from >= before) {
    throw new Refusal('BAD_REQUEST', { details: [{ path: 'to', message: 'must be after from' }] })
  }
  return { from, before }
}
