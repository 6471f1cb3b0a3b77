import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that work may hold the thread before it yields to the event loop. */
const MAX_BLOCKING_MS = 12

/** When the thread was first asked about since the event loop last came round; undefined if it was not. */
let heldSince: number | undefined

const forget = () => {
  heldSince = undefined
}

/**
 * For long work on the service's main thread: `await yieldToEventLoop()` lets others go on if the thread was held for long enough, by whatever
 * work, and costs next to nothing otherwise. Work that waited for something holds nothing meanwhile: each piece of 300 streamed answers
 * had a timer of its own when each answer counted its time.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  const now = performance.now()
  if (heldSince === undefined) {
    heldSince = now
    setImmediate(forget)
    return undefined
  }
  return now - heldSince < MAX_BLOCKING_MS ? undefined : turn()
}
