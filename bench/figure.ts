/** One measured figure. Percentiles where many single times were taken, `value` where one number says it all. */
export interface Figure {
  name: string
  /** `ms`, `kB`, `MB`, `pages/s`, `times`. */
  unit: string
  /** Single measurements behind it. */
  n: number
  p50?: number
  p95?: number
  p99?: number
  value?: number
  /** Answers that came in a second, where requests were sent at a constant rate. */
  perSecond?: number
  /** The same thing done by a bare Node server, in the same run. */
  baseline?: number
  /** Figure divided by baseline: it carries over from machine to machine. */
  ratio?: number
  /** What the judged number (`value`, else p95) may be at most, or has to be at least. */
  target?: { most?: number; least?: number }
  note?: string
}

export interface BenchOptions {
  /** Fewer requests and smaller stores: whether it works, not what to publish. */
  quick: boolean
  progress: (text: string) => void
  /** Aborted when the run is to end early. */
  signal: AbortSignal
}

export interface Bench {
  /** As it is called on the command line. */
  name: string
  run(options: BenchOptions): Promise<Figure[]>
}
