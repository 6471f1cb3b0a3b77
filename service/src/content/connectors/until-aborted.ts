/** Yields the same items until the signal is aborted; then throws its reason immediately, even while the generator is still busy. */
export async function* untilAborted<Item>(
  items: AsyncGenerator<Item, void, void>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => {})
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = items.next()
      next.catch(() => {})
      const { done, value } = await Promise.race([next, ended])
      if (done === true) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', end)
    // The generator releases its resources in the background; one that ended normally has already done so.
    void items.return().catch(() => {})
  }
}
