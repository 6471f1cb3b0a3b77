/**
 * Work that is kept in memory alone: that of one lane in order, so much at a time, so much of one channel, and no more than so much in
 * total.
 *
 * @param limits.most work that runs or waits
 */
export function createUnstoredLanes(limits: { atOnce: number; mostOfAChannel: number; most: number }) {
  const ends = new Map<string, Promise<void>>()
  const waiting: { channel: string; begin: () => void }[] = []
  /** By channel. */
  const running = new Map<string, number>()
  let open = 0

  const runningOf = (channel: string) => running.get(channel) ?? 0

  /** Begins what waits, and may: of channels with the least work first. */
  function beginWaiting(): void {
    for (;;) {
      const all = [...running.values()].reduce((sum, count) => sum + count, 0)
      if (all >= limits.atOnce) return
      const next = waiting
        .filter(({ channel }) => runningOf(channel) < limits.mostOfAChannel)
        .reduce<(typeof waiting)[number] | undefined>(
          (least, one) =>
            least === undefined || runningOf(one.channel) < runningOf(least.channel) ? one : least,
          undefined,
        )
      if (next === undefined) return
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next.channel, runningOf(next.channel) + 1)
      next.begin()
    }
  }

  async function takePlace(channel: string): Promise<void> {
    await new Promise<void>((begin) => {
      waiting.push({ channel, begin })
      beginWaiting()
    })
  }

  function leavePlace(channel: string): void {
    const left = runningOf(channel) - 1
    if (left > 0) running.set(channel, left)
    else running.delete(channel)
    beginWaiting()
  }

  /** Takes work, which must not throw. False if there is too much already: then it is not done. */
  function add({ lane, channel }: { lane: string; channel: string }, work: () => Promise<void>): boolean {
    if (open >= limits.most) return false
    open += 1
    const before = ends.get(lane) ?? Promise.resolve()
    const end = before
      .then(() => takePlace(channel))
      .then(work)
      .finally(() => {
        leavePlace(channel)
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
