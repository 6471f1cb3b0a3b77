import type { Analytics } from '@citewell/contract/analytics'
import { SURFACES } from '@citewell/contract/closed-lists'
import type { Counts, DayCounts, Totals } from './analytics-store.ts'

/** A share, rounded to thousandths; null if the whole is zero. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 1_000

export const presentRatings = ({ up, down }: Pick<Counts, 'up' | 'down'>) => ({
  up,
  down,
  up_rate: rateOf(up, up + down),
})

const presentCounts = (counts: Counts) => ({
  questions: counts.questions,
  finished: counts.finished,
  not_covered: counts.not_covered,
  covered_rate: rateOf(counts.finished - counts.not_covered, counts.finished),
  ratings: presentRatings(counts),
})

const presentTimes = (times: [number, number] | null) => ({
  p50: times === null ? null : Math.round(times[0]),
  p95: times === null ? null : Math.round(times[1]),
})

export const presentTotals = (totals: Totals): Analytics['totals'] => ({
  ...presentCounts(totals),
  conversations: totals.conversations,
  first_ms: presentTimes(totals.first_ms),
  total_ms: presentTimes(totals.total_ms),
})

const NOTHING: Counts = { questions: 0, finished: 0, not_covered: 0, up: 0, down: 0 }

const sumOf = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, counts) => ({
      questions: sum.questions + counts.questions,
      finished: sum.finished + counts.finished,
      not_covered: sum.not_covered + counts.not_covered,
      up: sum.up + counts.up,
      down: sum.down + counts.down,
    }),
    NOTHING,
  )

/** Every day, including those without questions; each has the same surfaces. */
export function presentDays(days: readonly string[], counts: readonly DayCounts[]): Analytics['days'] {
  const surfaces = SURFACES.filter((surface) => counts.some((each) => each.surface === surface))
  return days.map((day) => {
    const ofDay = counts.filter((each) => each.day === day)
    const asked = (surface: string) => ofDay.find((each) => each.surface === surface)?.questions ?? 0
    return {
      day,
      ...presentCounts(sumOf(ofDay)),
      by_surface: Object.fromEntries(surfaces.map((surface) => [surface, asked(surface)])),
    }
  })
}

/** Surfaces with questions, most asked first. */
export const presentSurfaces = (counts: readonly DayCounts[]): Analytics['surfaces'] =>
  SURFACES.map((surface) => ({
    surface,
    ...presentCounts(sumOf(counts.filter((each) => each.surface === surface))),
  }))
    .filter(({ questions }) => questions > 0)
    .toSorted((left, right) => right.questions - left.questions)
