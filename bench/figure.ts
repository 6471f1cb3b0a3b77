/** One measured figure: percentiles of many single times, or `value` for a single number. */
export interface Figure {
  name: string
  /** `ms`, `kB`, `MB`, `pages/s`, `times`. */
  unit: string
  /** Number of single measurements. */
  n: number
  p50?: number
  p95?: number
  p99?: number
  value?: number
  /** Answers per second, for requests sent at a constant rate. */
  perSecond?: number
  /** The same work by a bare Node server, in the same run. */
  baseline?: number
  /** Figure divided by baseline: comparable between machines. */
  ratio?: number
  /** Bounds of the judged number (`value`, else p95). */
  target?: { most?: number; least?: number }
  note?: string
}

export interface BenchOptions {
  /** Fewer requests and smaller stores: checks that the bench works, not for publishing. */
  quick: boolean
  progress: (text: string) => void
  /** Aborted when the run should end early. */
  signal: AbortSignal
}

export interface Bench {
  /** Its name on the command line. */
  name: string
  run(options: BenchOptions): Promise<Figure[]>
}
