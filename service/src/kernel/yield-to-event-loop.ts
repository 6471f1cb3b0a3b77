import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that work may hold the thread before it yields to the event loop. */
const MAX_BLOCKING_MS = 12

/**
 * For long work on the service's main thread: each call yields to the event loop if the work has held the thread for long enough,
 * and costs next to nothing otherwise.
 */
export function createEventLoopYield(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return
    await turn()
    since = performance.now()
  }
}
