/** Works through the rows of a table that wait. Several processes may do so: the claim decides which of them gets a row. */
export interface RowQueueDeps<Row> {
  /** Takes rows for this process, at most so many. */
  claim: (most: number) => Promise<Row[]>
  work: (row: Row, signal: AbortSignal) => Promise<void>
  /** Rows in work at a time. */
  atOnce: number
  /** How long work may go on after `stop`, before its signal is aborted. */
  drainMs: number
  report: (fault: unknown, doing: string) => void
  /** For reports: `handling an event`. */
  doing: string
}

export interface RowQueue {
  /** Looks for waiting rows. Call it when one was added; every process also looks now and then. */
  wake(): void
  /** Takes nothing more; what is in work gets its time, and then the signal. */
  stop(): Promise<void>
}

export function createRowQueue<Row>(deps: RowQueueDeps<Row>): RowQueue {
  const { claim, work, atOnce, drainMs, report, doing } = deps
  const inWork = new Set<Promise<void>>()
  const stopping = new AbortController()
  const ending = new AbortController()
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  function begin(row: Row): void {
    const working = work(row, stopping.signal)
      .catch((fault: unknown) => report(fault, doing))
      .finally(() => {
        inWork.delete(working)
        wake()
      })
    inWork.add(working)
  }

  async function look(): Promise<void> {
    while (!ending.signal.aborted && inWork.size < atOnce) {
      const rows = await claim(atOnce - inWork.size)
      for (const row of rows) begin(row)
      if (rows.length === 0) return
    }
  }

  function wake(): void {
    if (ending.signal.aborted) return
    if (looking !== undefined) {
      isAskedAgain = true
      return
    }
    looking = look()
      .catch((fault: unknown) => report(fault, `looking for work: ${doing}`))
      .finally(() => {
        looking = undefined
        if (!isAskedAgain) return
        isAskedAgain = false
        wake()
      })
  }

  async function stop(): Promise<void> {
    ending.abort()
    const timer = setTimeout(() => stopping.abort(new Error('The service is shutting down.')), drainMs)
    await looking
    await Promise.all(inWork)
    clearTimeout(timer)
  }

  return { wake, stop }
}
