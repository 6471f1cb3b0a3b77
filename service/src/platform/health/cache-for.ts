/** Caches the result of a function for `ms` milliseconds. Concurrent callers share one computation. */
export function cacheFor<Made>(ms: number, make: () => Promise<Made>): () => Promise<Made> {
  let kept: { since: number; made: Promise<Made> } | undefined
  return async () => {
    if (kept === undefined || performance.now() - kept.since >= ms) {
      kept = { since: performance.now(), made: make() }
    }
    return await kept.made
  }
}
