import { useQuery } from '@tanstack/react-query'
import { percent } from '../ui/percent.ts'
import { useApi } from './session.ts'

const DAY_MS = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

export interface Days {
  from: string
  to: string
}

/** The last days up to today, in UTC as the service counts. */
export function lastDays(days: number): Days {
  const now = Date.now()
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) }
}

export function useAnalytics(baseId: string, days: Days, isAllowed: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['analytics', baseId, days],
    queryFn: ({ signal }) => api.getAnalytics(baseId, days, { signal }),
    enabled: isAllowed,
  })
}

/** What a share was in the days before. */
export const comparedShare = (now: number | null, before: number | null): string =>
  before === null
    ? now === null
      ? 'nothing to count'
      : 'none before'
    : `${percent(before)} in the days before`

/** How a number compares with that of the days before. */
export function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'as before' : 'none before'
  const share = Math.round(((now - before) / before) * 100)
  return `${share >= 0 ? '+' : ''}${share} % on the days before`
}
