/** The load generator, in its own process, so that its work does not slow down what it measures. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerParent } from '../processes/child.ts'
import { percentile } from './percentile.ts'
import { loadWithRequests, type RequestLoad } from './request-load.ts'
import { loadWithStreams, type StreamLoad } from './stream-load.ts'

/** Arrival of the pieces of all streams over a period. */
export interface PieceTimes {
  pieces: number
  p50: number
  p95: number
  p99: number
  /** Event-loop delay of the generator: the times above are at least this uncertain. */
  loopDelayMs: number
}

const loopDelay = monitorEventLoopDelay({ resolution: 1 })
loopDelay.enable()
let streams: StreamLoad | undefined

answerParent({
  requests: (load: RequestLoad) => loadWithRequests(load),
  openStreams: async (load: RequestLoad) => {
    streams = loadWithStreams(load)
    await streams.sent
  },
  speaking: () => streams?.speaking() ?? 0,
  takePieces: (): PieceTimes => {
    const times = streams?.takePieceTimes() ?? []
    const loopDelayMs = loopDelay.percentile(99) / 1e6
    loopDelay.reset()
    return {
      pieces: times.length,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
      loopDelayMs,
    }
  },
  endOfStreams: () => streams?.ended,
})
