/** Runs tasks one at a time; the share that was idle longest is next, so that a large backlog of one share does not delay the others. */
export function createRoundRobin() {
  const waiting: { share: string; run: () => Promise<void> }[] = []
  const servedAt = new Map<string, number>()
  let turn = 0
  let isRunning = false

  function next(): void {
    if (isRunning) return
    const placeOf = (share: string) => servedAt.get(share) ?? 0
    const [chosen] = waiting.toSorted((left, right) => placeOf(left.share) - placeOf(right.share))
    if (chosen === undefined) {
      servedAt.clear()
      return
    }
    waiting.splice(waiting.indexOf(chosen), 1)
    servedAt.set(chosen.share, (turn += 1))
    isRunning = true
    void chosen.run().finally(() => {
      isRunning = false
      next()
    })
  }

  async function take<Result>(share: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.push({
      share,
      run: async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      },
    })
    next()
    return await promise
  }

  return { take }
}
