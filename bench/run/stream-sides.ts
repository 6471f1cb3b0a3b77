import type { Child } from '../processes/child.ts'
import type { Citewell } from '../processes/start-citewell.ts'
import type { RequestPlan } from './measure-requests.ts'

/** The resource usage of a process. */
export interface Usage {
  residentBytes: number
  /** p99 since the last call, in excess of the 10 ms sampling interval. */
  loopDelayMs: number
  /** Since its start. */
  cpuSeconds: number
}

/** A relay of a model's answers: the service, or a bare server for comparison. */
export interface StreamSide {
  name: string
  plan: RequestPlan
  usage(): Promise<Usage>
}

const RESOLUTION_MS = 10

export const citewellSide = (citewell: Citewell, plan: RequestPlan): StreamSide => ({
  name: 'citewell',
  plan,
  usage: async () => {
    const metrics = await citewell.metrics()
    const of = (name: string) => metrics.get(name) ?? Number.NaN
    return {
      residentBytes: of('process_resident_memory_bytes'),
      loopDelayMs: Math.max(0, of('nodejs_eventloop_lag_p99_seconds') * 1_000 - RESOLUTION_MS),
      cpuSeconds: of('process_cpu_seconds_total'),
    }
  },
})

export const bareSide = (bare: Child, plan: RequestPlan): StreamSide => ({
  name: 'bare',
  plan,
  usage: async () => {
    const usage = await bare.ask<Usage>('usage')
    return { ...usage, loopDelayMs: Math.max(0, usage.loopDelayMs - RESOLUTION_MS) }
  },
})
