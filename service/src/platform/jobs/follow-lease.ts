/** How often a lease is renewed, in milliseconds: at most so long goes on what somebody cancelled. */
const RENEWED_EVERY_MS = 1_000

export interface FollowedLease extends Disposable {
  /** Aborted when the process stops, and when the lease is lost: the work was cancelled, deleted, or taken over by another process. */
  readonly signal: AbortSignal
}

/**
 * Renews the lease of background work while it waits for others, e.g. for a model. `renew` returns whether the lease is still held; what it
 * throws is passed over, since the work itself meets a storage that is down.
 */
export function followLease(renew: () => Promise<boolean>, shutdown: AbortSignal): FollowedLease {
  const lost = new AbortController()
  let isRenewing = false
  const renewing = setInterval(() => {
    if (isRenewing) return
    isRenewing = true
    void renew()
      .then(
        (isHeld) => {
          if (!isHeld) lost.abort(new Error('The work was cancelled, or another process took it over.'))
        },
        () => {},
      )
      .finally(() => {
        isRenewing = false
      })
  }, RENEWED_EVERY_MS)
  return {
    signal: AbortSignal.any([shutdown, lost.signal]),
    [Symbol.dispose]: () => clearInterval(renewing),
  }
}
