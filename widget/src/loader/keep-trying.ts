/** Longest wait between two tries, in seconds. The first is of 10, and each is twice the one before. */
const LONGEST = 300

/**
 * Repeats what the service could not answer, with growing waits, and when the reader is back on the network.
 * A failed try is silent: a page is not the place to hear of it.
 */
export async function keepTrying<Answer>(run: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let wait = 10; ; wait = Math.min(LONGEST, wait * 2))
    try {
      return await run()
    } catch {
      await new Promise((again) => {
        setTimeout(again, wait * 1_000)
        addEventListener('online', again, { once: true, signal })
      })
      signal.throwIfAborted()
    }
}
