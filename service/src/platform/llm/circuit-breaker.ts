/** The breaker opens after `failures` within `withinMs`, and allows a probe every `probeAfterMs`. */
export interface BreakerSettings {
  failures: number
  withinMs: number
  probeAfterMs: number
}

export const BREAKER_SETTINGS: BreakerSettings = { failures: 5, withinMs: 30_000, probeAfterMs: 5_000 }

export interface CircuitBreaker {
  /** Whether a call may be made now. While open, one call every `probeAfterMs` may. */
  admits(): boolean
  succeeded(): void
  failed(): void
}

/**
 * Spares a failing service further calls, and readers the wait for them: opens after several failures within a time, and closes after
 * the first success.
 *
 * @param now - monotonic milliseconds
 */
export function createCircuitBreaker(now: () => number, settings: BreakerSettings): CircuitBreaker {
  let failedAt: number[] = []
  /** When the next probe is allowed; undefined while closed. */
  let probeAt: number | undefined

  return {
    admits: () => {
      if (probeAt === undefined) return true
      if (now() < probeAt) return false
      // Only one probe at a time: the next one waits for the same interval again.
      probeAt = now() + settings.probeAfterMs
      return true
    },
    succeeded: () => {
      failedAt = []
      probeAt = undefined
    },
    failed: () => {
      const time = now()
      failedAt = [...failedAt.filter((earlier) => time - earlier < settings.withinMs), time]
      if (probeAt !== undefined || failedAt.length >= settings.failures)
        probeAt = time + settings.probeAfterMs
    },
  }
}
