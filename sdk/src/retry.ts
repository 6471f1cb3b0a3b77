import { CitewellError } from './citewell-error.ts'
import { unlessAborted } from './deadline.ts'

const FIRST_WAIT_MS = 500
/** A reader does not wait longer than this for an attempt that they do not see; the error then tells when to come back. */
const LONGEST_WAIT_MS = 8_000

/** Exponential backoff with jitter, so that clients that failed together do not come back together. */
const backoffMs = (attempt: number) =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2)

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    await unlessAborted(over, signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Repeats what failed with a retryable error, after the service's `Retry-After` or a growing pause. It gives up at an error that is not
 * retryable, after the given number of repetitions, or if the service asks for more than 8 s of patience.
 */
export async function retry<Result>(
  run: () => Promise<Result>,
  { retries, signal }: { retries: number; signal: AbortSignal | undefined },
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof CitewellError) || !error.retryable || error.code === 'CANCELLED') throw error
      const milliseconds =
        error.retryAfter === undefined ? backoffMs(attempt) : Math.max(1, error.retryAfter) * 1_000
      if (attempt >= retries || milliseconds > LONGEST_WAIT_MS) throw error
      await wait(milliseconds, signal)
    }
  }
}
