/**
 * Options of a test of a time limit of the contract, such as 250 ms. A busy machine delays single attempts, so one of five has to be within
 * the limit; code that is really too slow misses it in all of them.
 */
export const TIME_LIMIT = { retry: 4 }

/** Milliseconds of processor time that this thread uses for some work. Unlike a clock, it does not count other processes. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
