/**
 * Work that is kept in memory alone: that of one lane in order, so much at a time, and no more than so much in total.
 *
 * @param limits.most work that runs or waits
 */
export function createUnstoredLanes(limits: { atOnce: number; most: number }) {
  const ends = new Map<string, Promise<void>>()
  const waiting: (() => void)[] = []
  let running = 0
  let open = 0

  async function takePlace(): Promise<void> {
    if (running < limits.atOnce) running += 1
    // Whoever ends hands the place over.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leavePlace(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  /** Takes work, which must not throw. False if there is too much already: then it is not done. */
  function add(lane: string, work: () => Promise<void>): boolean {
    if (open >= limits.most) return false
    open += 1
    const before = ends.get(lane) ?? Promise.resolve()
    const end = before
      .then(takePlace)
      .then(work)
      .finally(() => {
        leavePlace()
        open -= 1
        if (ends.get(lane) === end) ends.delete(lane)
      })
    ends.set(lane, end)
    return true
  }

  return {
    add,
    /** Ends when all work that was taken has ended. */
    drained: async (): Promise<void> => {
      await Promise.all(ends.values())
    },
  }
}
