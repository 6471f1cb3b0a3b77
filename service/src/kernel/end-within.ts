/**
 * Waits until work has ended, however it does, but no longer than so many milliseconds: what waits for a storage or a host that does not
 * answer must not keep what comes after it.
 */
export async function endWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  const ended = work.then(
    () => undefined,
    () => undefined,
  )
  await Promise.race([ended, late])
  clearTimeout(timer)
}
