import { canonicalEmail } from '../../kernel/canonical-email.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { RateLimit, RateLimits, RateLimitCost } from '../../platform/rate-limits/rate-limits.ts'
import { createSignInTurns, type TurnTimes } from './sign-in-turns.ts'

const QUARTER_HOUR = 15 * 60

/** Failures only. The count of an account covers all browsers that it does not know: anyone can cause these failures. */
const FAILURES_OF_ACCOUNT: RateLimit = { name: 'sign-in-account', most: 10, windowSeconds: QUARTER_HOUR }
const FAILURES_FROM_ADDRESS: RateLimit = { name: 'sign-in-address', most: 30, windowSeconds: QUARTER_HOUR }
/** Only a browser that has signed in to this account before, or is signed in, can cause these. */
const FAILURES_OF_DEVICE: RateLimit = { name: 'sign-in-device', most: 10, windowSeconds: QUARTER_HOUR }

export interface Attempt<Result> {
  /** As typed; normalized like in the lookup before it is counted. */
  email: string
  /** Client address; empty if it is unknown. */
  from: string
  /** Id of a browser that this account knows; undefined for any other. */
  device?: string | undefined
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined
  /** Makes the attempt; undefined means that it failed. */
  try: () => Promise<Result | undefined>
}

/**
 * Counts failed attempts to sign in: per account, existing or not, and per address. Beyond the limits, no one is refused for what others
 * did: attempts take turns, and a browser that the account knows has its own count.
 *
 * `attempt` counts before it tries, so that parallel attempts cannot bypass the count, and refunds the count on success.
 */
export function createSignInThrottle(rateLimits: RateLimits, times?: TurnTimes) {
  const turns = createSignInTurns(rateLimits, times)

  /** Counts, and waits for a turn if a limit is reached. Returns what to refund. */
  async function enter(tried: Omit<Attempt<unknown>, 'try'>): Promise<RateLimitCost[]> {
    if (tried.device !== undefined) {
      const take = { limit: FAILURES_OF_DEVICE, key: hashSecret(tried.device) }
      const [state] = await rateLimits.take([take])
      if (state === undefined || state.isAllowed) return [take]
    }
    // Hashed: the rate limit counters of a shared database hold no e-mail addresses.
    const account = hashSecret(canonicalEmail(tried.email))
    const ofAccount = { limit: FAILURES_OF_ACCOUNT, key: account }
    const fromAddress = { limit: FAILURES_FROM_ADDRESS, key: tried.from }
    const isAddressSlow = tried.from !== '' && (await isExceeded(fromAddress))
    // Attempts from an address that is already slowed down do not count against the account.
    const isAccountSlow = isAddressSlow ? await isExhausted(ofAccount) : await isExceeded(ofAccount)
    if (isAccountSlow || isAddressSlow) {
      const { from, signal } = tried
      await turns.wait({ account, from, isAccountSlow, isAddressSlow, signal })
    }
    return [...(tried.from === '' ? [] : [fromAddress]), ...(isAddressSlow ? [] : [ofAccount])]
  }

  const isExceeded = async (take: RateLimitCost) =>
    (await rateLimits.take([take])).some(({ isAllowed }) => !isAllowed)
  const isExhausted = async (take: RateLimitCost) =>
    (await rateLimits.peek([take])).some(({ isAllowed }) => !isAllowed)

  /** @throws Refusal RATE_LIMITED if too many attempts wait for their turn */
  async function attempt<Result>(tried: Attempt<Result>): Promise<Result | undefined> {
    const takes = await enter(tried)
    try {
      const result = await tried.try()
      if (result !== undefined) await rateLimits.refund(takes)
      return result
    } catch (fault) {
      // The attempt was not made, for example because the service was too busy.
      await rateLimits.refund(takes)
      throw fault
    }
  }

  return { attempt }
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>
