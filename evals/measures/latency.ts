import type { Observation } from './observation.ts'

/** Milliseconds. */
export interface Percentiles {
  count: number
  p50: number
  p95: number
  p99: number
  max: number
}

export interface Latency {
  search: Percentiles | undefined
  firstFrame: Percentiles | undefined
  wholeAnswer: Percentiles | undefined
}

/** The value that a share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined
  return {
    count: values.length,
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
  }
}

/** Latency for one client that asks one question after another, including HTTP. */
export const latencyOf = (observations: readonly Observation[]): Latency => ({
  search: percentilesOf(observations.flatMap(({ searchMs }) => searchMs ?? [])),
  firstFrame: percentilesOf(observations.flatMap(({ answer }) => answer?.firstFrameMs ?? [])),
  wholeAnswer: percentilesOf(observations.flatMap(({ answer }) => answer?.wholeMs ?? [])),
})
