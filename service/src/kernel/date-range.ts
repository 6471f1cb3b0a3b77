import { DAY_MS } from './duration.ts'
import { wrongField } from './refusal.ts'

/** The times whose year has four digits: JavaScript writes others in a way that PostgreSQL does not read. */
const FIRST_TIME = Date.parse('0001-01-01')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the database reads a time as it is written. */
export const isStorableTime = (time: Date): boolean =>
  time.getTime() >= FIRST_TIME && time.getTime() <= LAST_TIME

/** The time itself, or the nearest one that the database reads: `to=9999-12-31` ends on a day without a next one. */
export const nearestStorableTime = (time: Date): Date =>
  new Date(Math.min(LAST_TIME, Math.max(FIRST_TIME, time.getTime())))

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
  if (from !== undefined && before !== undefined && from >= before)
    throw wrongField('to', 'must be after from')
  return { from: from && nearestStorableTime(from), before: before && nearestStorableTime(before) }
}
