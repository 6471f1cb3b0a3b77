import { setTimeout as sleep } from 'node:timers/promises'
import { modelFailureOf, retryAfterMsOf } from './model-failures.ts'
import type { ModelFailure } from './language-model.ts'

const MAX_RETRIES = 2
/** Upper limit of the first pause; it doubles with each further one. */
const FIRST_PAUSE_MS = 500
/** No retry if a provider asks for a longer pause than a reader would wait. */
const LONGEST_RETRY_AFTER_MS = 5_000

/** Milliseconds to wait before the next attempt; undefined for no retry. */
function pauseBeforeRetry(
  failure: ModelFailure,
  retriesSoFar: number,
  { random, now }: { random: () => number; now: number },
): number | undefined {
  const mayPass = failure.code === 'rate_limited' || failure.code === 'unavailable'
  if (!mayPass || retriesSoFar >= MAX_RETRIES) return undefined
  const asked = retryAfterMsOf(failure, now)
  if (asked === undefined) return random() * FIRST_PAUSE_MS * 2 ** retriesSoFar
  return asked <= LONGEST_RETRY_AFTER_MS ? asked : undefined
}

/** An answer that has begun: its first piece of text, and the pieces after it. */
export interface BegunAnswer {
  first: string
  rest: AsyncGenerator<string, void, void>
}

/**
 * Retries `attempt` if it fails for a transient reason. It resolves with the first piece of text: a later failure is not retried, because a
 * second attempt would start a different answer from the beginning.
 */
export async function retryBeforeFirstToken(
  attempt: () => Promise<BegunAnswer>,
  { signal, random }: { signal: AbortSignal; random: () => number },
): Promise<BegunAnswer> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const failure = modelFailureOf(error)
      const pause = pauseBeforeRetry(failure, retries, { random, now: Date.now() })
      if (pause === undefined) throw failure
      // Aborted while waiting: the next attempt reports the reason.
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }
}
