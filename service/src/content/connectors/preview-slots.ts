import { Refusal } from '../../kernel/refusal.ts'
import { createFairSemaphore } from '../../platform/fairness/fair-semaphore.ts'
import { createRateLimits } from '../../platform/rate-limits/rate-limits.ts'

/** Maximum concurrent previews, in this process and per person. Each may open pages in a browser. */
const SLOTS = 2
const SLOTS_PER_PERSON = 1

/** Maximum previews waiting for a slot, in total and per person; further ones are refused immediately. */
const MAX_WAITING = 10
const MAX_WAITING_PER_PERSON = 2
const MAX_WAIT_MS = 15_000
const RETRY_AFTER_SECONDS = 10

const A_MINUTE = { name: 'preview', most: 20, windowSeconds: 60 }

/** Limits concurrent previews; people take turns. */
export interface PreviewSlots {
  /** Throws the Refusal RATE_LIMITED if no slot becomes free soon. */
  run<Result>(
    person: { userId: string; knowledgeBaseId: string },
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>
}

const busy = (because: string, retryAfterSeconds: number) =>
  new Refusal('RATE_LIMITED', { because, retryAfterSeconds })

export function createPreviewSlots(given: { isCounted: boolean; maxWaitMs?: number }): PreviewSlots {
  const places = createFairSemaphore({ places: SLOTS, mostEach: SLOTS_PER_PERSON })
  const limits = createRateLimits({ isOn: given.isCounted, executeShared: undefined })
  const waiting: string[] = []

  async function enter(person: { userId: string; knowledgeBaseId: string }, signal: AbortSignal) {
    const mine = waiting.filter((one) => one === person.userId).length
    if (waiting.length >= MAX_WAITING || mine >= MAX_WAITING_PER_PERSON)
      throw busy('Too many previews are waiting. Try again later.', RETRY_AFTER_SECONDS)
    waiting.push(person.userId)
    const timeLimit = AbortSignal.timeout(given.maxWaitMs ?? MAX_WAIT_MS)
    try {
      const owner = { workspaceId: person.userId, knowledgeBaseId: person.knowledgeBaseId }
      return await places.acquire(owner, AbortSignal.any([signal, timeLimit]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeLimit.aborted)
        throw busy('Too many previews are running. Try again later.', RETRY_AFTER_SECONDS)
      throw error
    } finally {
      waiting.splice(waiting.indexOf(person.userId), 1)
    }
  }

  return {
    run: async (person, signal, work) => {
      const [counted] = await (await limits).take([{ limit: A_MINUTE, key: person.userId }])
      if (counted?.isAllowed === false)
        throw busy(
          `You have started more than ${A_MINUTE.most} previews within a minute. Try again later.`,
          counted.resetSeconds,
        )
      const leave = await enter(person, signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
