/** The same items, for as long as the signal lasts; then its reason is thrown at once, whatever the reader still does. */
export async function* endedBy<Item>(
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
    // What it holds it lets go by itself; one that ended well has done so already.
    void items.return().catch(() => {})
  }
}
