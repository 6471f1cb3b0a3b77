import { DAY_MS } from '../../kernel/duration.ts'

export type Schedule = 'hourly' | 'daily' | 'weekly' | 'monthly'

/** A month counts as 30 days, so that each step has the same length. */
const INTERVAL_MS = {
  hourly: DAY_MS / 24,
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  monthly: 30 * DAY_MS,
} as const satisfies Record<Schedule, number>

/** When a schedule is next due; null for none. */
export function nextTime(schedule: Schedule | 'none' | null, now: Date): Date | null {
  return schedule === null || schedule === 'none' ? null : new Date(now.getTime() + INTERVAL_MS[schedule])
}
