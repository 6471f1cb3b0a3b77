import { hash } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../../kernel/duration.ts'

/** How often a thread is read again although its product reports no change, by the time since its last message. */
const periodOf = (ageMs: number) => {
  if (ageMs < DAY_MS) return HOUR_MS
  return ageMs < 30 * DAY_MS ? DAY_MS : 30 * DAY_MS
}

/**
 * Part of a marker, for products that do not report that an earlier message was edited: a number that changes each hour in the first day
 * after the last message, then each day, and each month from the second month on. The change comes at another moment for each thread, so
 * that never all of them are read at once.
 *
 * @param lastMessageAt milliseconds since 1970
 */
export function rereadWindow(externalId: string, lastMessageAt: number, now: number): string {
  const period = periodOf(now - lastMessageAt)
  const offset = Number.parseInt(hash('sha256', externalId).slice(0, 8), 16) / 2 ** 32
  return `${period / HOUR_MS}h${Math.floor(now / period + offset)}`
}
