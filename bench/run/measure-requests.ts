import type { BenchOptions, Figure } from '../figure.ts'
import { median, percentile } from '../load/percentile.ts'
import type { RequestLoad, RequestTimes, Target } from '../load/request-load.ts'
import type { Child } from '../processes/child.ts'

/** A measurement with requests at a constant rate. */
export interface RequestPlan {
  target: Target
  /** The body of the n-th request; all are different. */
  bodyOf: (number: number) => string
  perSecond: number
}

/** Sizes for a publishable measurement, and for a check that the bench works. */
export const RUNS = {
  whole: { warmUpSeconds: 10, runs: 5, seconds: 20 },
  quick: { warmUpSeconds: 3, runs: 1, seconds: 8 },
} as const

/** If the generator is later than this, it did not generate the stated load. */
const LATE_MS = 5

/** How late the generator sent, and whether that makes the figures invalid. */
export function lateNote(perSecond: number, lateMs: readonly number[]): string {
  const late = percentile(lateMs, 0.99)
  const doubt = late > LATE_MS ? '; NOT VALID: the generator was late' : ''
  return `${perSecond}/s, sent late p99 ${late.toFixed(1)} ms${doubt}`
}

const range = (values: readonly number[]) =>
  values.length < 2 ? '' : `, ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`

/**
 * Warms up, then measures several runs: each percentile is the median over the runs.
 *
 * @throws Error when a request fails
 */
export async function measureRequests(
  load: Child,
  { target, bodyOf, perSecond }: RequestPlan,
  { quick, progress, signal }: BenchOptions,
): Promise<Pick<Figure, 'n' | 'p50' | 'p95' | 'p99' | 'perSecond' | 'note'>> {
  const { warmUpSeconds, runs, seconds } = quick ? RUNS.quick : RUNS.whole
  let sent = 0
  const loadFor = async (time: number): Promise<RequestTimes> => {
    signal.throwIfAborted()
    const bodies = Array.from({ length: Math.ceil(time * perSecond) }, (_, place) => bodyOf(sent + place))
    sent += bodies.length
    return await load.ask<RequestTimes>('requests', { target, bodies, perSecond } satisfies RequestLoad)
  }
  progress('warming up')
  await loadFor(warmUpSeconds)
  const measured: RequestTimes[] = []
  for (let run = 1; run <= runs; run += 1) {
    progress(`run ${run} of ${runs}`)
    const times = await loadFor(seconds)
    if (times.failures.length > 0) {
      throw new Error(`${times.failures.length} requests failed: ${times.failures[0]}`)
    }
    measured.push(times)
  }
  const of = (part: number) => measured.map(({ ms }) => percentile(ms, part))
  const lateMs = measured.flatMap((times) => times.lateMs)
  return {
    n: measured.reduce((sum, { ms }) => sum + ms.length, 0),
    p50: median(of(0.5)),
    p95: median(of(0.95)),
    p99: median(of(0.99)),
    perSecond: median(measured.map(({ ms, seconds: took }) => ms.length / took)),
    note: `p95 of ${runs} runs${range(of(0.95))}; ${lateNote(perSecond, lateMs)}`,
  }
}
