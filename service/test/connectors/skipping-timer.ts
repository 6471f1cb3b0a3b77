import type { SourceTimer } from '../../src/content/connectors/connectors.ts'

/**
 * A time that goes on by itself, and at once to the end of a wait: a connector that is told to come back in a minute does so without the
 * minute, and its clock shows that it has passed.
 */
export function createSkippingTimer(): SourceTimer {
  let skippedMs = 0
  return {
    now: () => Date.now() + skippedMs,
    wait: (milliseconds, signal) => {
      signal.throwIfAborted()
      skippedMs += milliseconds
      return Promise.resolve()
    },
  }
}
