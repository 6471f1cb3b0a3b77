import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from '../http/http-app.ts'

/** Upper bounds in seconds: a health check takes 2 ms, a search 30, an answer up to two minutes. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

let ofProcess: Registry | undefined

/** Metrics of the process. Measured once in it, however many services it runs: their timer and their observer never end. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** The metrics of `GET /metrics`. Names start with `citewell_`; process metrics keep their usual names. */
export function createMetrics() {
  const registry = new Registry()
  // From the start, not from the first look at them.
  processMetrics()
  const requests = new Histogram({
    name: 'citewell_http_request_duration_seconds',
    help: 'Time until the headers of an answer, by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })

  return {
    observeRequest: ({ method, route, status, seconds }: AnsweredRequest) => {
      // An invented method must not create a new series.
      const known = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'other'
      requests.observe({ method: known, route, status: String(status) }, seconds)
    },

    /** A counter. `name` without the prefix, ending in `_total`. */
    counter: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => {
      const counter = new Counter({
        name: `citewell_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
      })
      return (labels: Record<Label, string>, by = 1) => counter.inc(labels, by)
    },

    /** A histogram of a duration in seconds. `name` without the prefix, ending in `_seconds`. */
    duration: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => {
      const histogram = new Histogram({
        name: `citewell_${name}`,
        help,
        labelNames: [...labelNames],
        buckets: DURATION_BUCKETS,
        registers: [registry],
      })
      return (labels: Record<Label, string>, seconds: number) => histogram.observe(labels, seconds)
    },

    /** A gauge that is read when the metrics are requested. `name` without the prefix. */
    gauge: (name: string, help: string, read: () => number | Promise<number>) => {
      const gauge: Gauge = new Gauge({
        name: `citewell_${name}`,
        help,
        registers: [registry],
        collect: async () => gauge.set(await read()),
      })
    },

    /** The response body of `GET /metrics`. */
    text: () => Registry.merge([processMetrics(), registry]).metrics(),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
