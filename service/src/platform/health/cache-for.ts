/** Caches the result of a function for `ms` milliseconds. Concurrent callers share one computation. */
export function cacheFor<Value>(ms: number, compute: () => Promise<Value>): () => Promise<Value> {
  let cached: { since: number; value: Promise<Value> } | undefined
  return async () => {
    if (cached === undefined || performance.now() - cached.since >= ms)
      cached = { since: performance.now(), value: compute() }
    return await cached.value
  }
}
