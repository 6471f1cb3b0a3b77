import { canonicalEmail } from '../../accounts/people/people.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.ts'

const QUARTER_HOUR = 15 * 60

/** Failures only: a password cannot be guessed with so few, and nobody mistypes theirs so often. */
const FAILURES_OF_ACCOUNT: RateLimit = { name: 'sign-in-account', most: 10, windowSeconds: QUARTER_HOUR }
const FAILURES_FROM_ADDRESS: RateLimit = { name: 'sign-in-address', most: 30, windowSeconds: QUARTER_HOUR }

/**
 * Counts failed attempts to sign in: of an account, there or not, and from an address.
 *
 * `attempt` counts before it tries, so that many at once are no way around it, and uncounts where that succeeded.
 */
export function createSignInThrottle(rateLimits: RateLimits) {
  /**
   * @param tried.email as it was typed: it is counted as it is looked up
   * @param tried.try whether it worked; not called where there were too many failures
   * @throws Refusal RATE_LIMITED
   */
  async function attempt<Result>(tried: {
    email: string
    from: string
    try: () => Promise<Result | undefined>
  }): Promise<Result | undefined> {
    const takes = [
      // The address first: one that is refused locks nobody's account.
      ...(tried.from === '' ? [] : [{ limit: FAILURES_FROM_ADDRESS, key: tried.from }]),
      // Hashed: the counters of a shared database hold no addresses of people.
      { limit: FAILURES_OF_ACCOUNT, key: hashSecret(canonicalEmail(tried.email)) },
    ]
    for (const take of takes) {
      const [refused] = await rateLimits.take([take])
      if (refused === undefined || refused.isAllowed) continue
      const minutes = Math.ceil(refused.resetSeconds / 60)
      throw new Refusal('RATE_LIMITED', {
        because: `Too many attempts did not work. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
        retryAfterSeconds: refused.resetSeconds,
      })
    }
    try {
      const result = await tried.try()
      if (result !== undefined) await rateLimits.giveBack(takes)
      return result
    } catch (fault) {
      // It was not tried: the service was too busy, say.
      await rateLimits.giveBack(takes)
      throw fault
    }
  }

  return { attempt }
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>
