import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that work may hold the thread before others have a turn. */
const AT_ONCE_MS = 12

/**
 * For long work on the service's own thread: each call waits for a turn of the event loop where the work has held it for long
 * enough, and costs next to nothing otherwise.
 */
export function letOthersRun(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < AT_ONCE_MS) return
    await turn()
    since = performance.now()
  }
}
