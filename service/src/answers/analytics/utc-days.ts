import { LIMITS } from '@citewell/contract/limits'
import { isStorableTime, nearestStorableTime } from '../../kernel/date-range.ts'
import { DAY_MS } from '../../kernel/duration.ts'
import { wrongField } from '../../kernel/refusal.ts'

/** A range of whole days in UTC. */
export interface DayRange {
  /** The days, such as `2026-03-09`, including both ends. */
  days: readonly string[]
  from: Date
  /** Start of the day after the last one. */
  before: Date
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

const rangeFrom = (from: Date, count: number): DayRange => ({
  days: Array.from({ length: count }, (_, index) => dayOf(new Date(from.getTime() + index * DAY_MS))),
  from: nearestStorableTime(from),
  before: nearestStorableTime(new Date(from.getTime() + count * DAY_MS)),
})

/** Reads a range of days. @throws Refusal BAD_REQUEST if it ends before it begins, or is too long */
export function readDayRange(
  given: { from: string | undefined; to: string | undefined },
  now: Date,
): DayRange {
  const { defaultDays, mostDays } = LIMITS.analytics
  const last = new Date(given.to ?? dayOf(now))
  const from =
    given.from === undefined ? new Date(last.getTime() - (defaultDays - 1) * DAY_MS) : new Date(given.from)
  if (!isStorableTime(from))
    throw wrongField(given.from === undefined ? 'to' : 'from', 'must leave no day before 0001-01-01')
  const count = Math.round((last.getTime() - from.getTime()) / DAY_MS) + 1
  if (count < 1) throw wrongField('from', 'must not be after to')
  if (count > mostDays) throw wrongField('from', `must be at most ${mostDays} days before to`)
  return rangeFrom(from, count)
}

/** The range of the same length directly before. */
export function rangeBefore({ days, from }: DayRange): Pick<DayRange, 'from' | 'before'> {
  return { from: nearestStorableTime(new Date(from.getTime() - days.length * DAY_MS)), before: from }
}
