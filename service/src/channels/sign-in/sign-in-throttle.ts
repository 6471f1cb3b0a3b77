import { canonicalEmail } from '../../accounts/people/people.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { RateLimit, RateLimits, RateLimitCost } from '../../platform/rate-limits/rate-limits.ts'
import { createSignInTurns, type TurnTimes } from './sign-in-turns.ts'

const QUARTER_HOUR = 15 * 60

/** Failures only. Those of an account are counted over all who are not known here: anybody can make them. */
const FAILURES_OF_ACCOUNT: RateLimit = { name: 'sign-in-account', most: 10, windowSeconds: QUARTER_HOUR }
const FAILURES_FROM_ADDRESS: RateLimit = { name: 'sign-in-address', most: 30, windowSeconds: QUARTER_HOUR }
/** Nobody else can make these: the browser has signed in to this account before, or is signed in. */
const FAILURES_OF_DEVICE: RateLimit = { name: 'sign-in-device', most: 10, windowSeconds: QUARTER_HOUR }

export interface Attempt<Result> {
  /** As it was typed: it is counted as it is looked up. */
  email: string
  /** Empty where nobody can be told apart. */
  from: string
  /** What stands for a browser that this account knows; undefined for any other. */
  device?: string | undefined
  /** Ends when whoever asks has gone. */
  signal?: AbortSignal | undefined
  /** Whether it worked. */
  try: () => Promise<Result | undefined>
}

/**
 * Counts failed attempts to sign in: of an account, there or not, and from an address. Beyond the limits nobody is refused for what
 * others did: attempts take turns, and a browser that the account knows has a count of its own.
 *
 * `attempt` counts before it tries, so that many at once are no way around it, and uncounts where that succeeded.
 */
export function createSignInThrottle(rateLimits: RateLimits, times?: TurnTimes) {
  const turns = createSignInTurns(rateLimits, times)

  /** Counts, and waits where that is too many. Returns what to uncount. */
  async function enter(tried: Omit<Attempt<unknown>, 'try'>): Promise<RateLimitCost[]> {
    if (tried.device !== undefined) {
      const take = { limit: FAILURES_OF_DEVICE, key: hashSecret(tried.device) }
      const [state] = await rateLimits.take([take])
      if (state === undefined || state.isAllowed) return [take]
    }
    // Hashed: the counters of a shared database hold no addresses of people.
    const account = hashSecret(canonicalEmail(tried.email))
    const ofAccount = { limit: FAILURES_OF_ACCOUNT, key: account }
    const fromAddress = { limit: FAILURES_FROM_ADDRESS, key: tried.from }
    const isAddressSlow = tried.from !== '' && (await isOver(fromAddress))
    // An address that is slowed down already slows down nobody's account.
    const isAccountSlow = isAddressSlow ? await stands(ofAccount) : await isOver(ofAccount)
    if (isAccountSlow || isAddressSlow) {
      const { from, signal } = tried
      await turns.wait({ account, from, isAccountSlow, isAddressSlow, signal })
    }
    return [...(tried.from === '' ? [] : [fromAddress]), ...(isAddressSlow ? [] : [ofAccount])]
  }

  const isOver = async (take: RateLimitCost) =>
    (await rateLimits.take([take])).some(({ isAllowed }) => !isAllowed)
  const stands = async (take: RateLimitCost) =>
    (await rateLimits.peek([take])).some(({ isAllowed }) => !isAllowed)

  /** @throws Refusal RATE_LIMITED where too many wait for their turn */
  async function attempt<Result>(tried: Attempt<Result>): Promise<Result | undefined> {
    const takes = await enter(tried)
    try {
      const result = await tried.try()
      if (result !== undefined) await rateLimits.refund(takes)
      return result
    } catch (fault) {
      // It was not tried: the service was too busy, say.
      await rateLimits.refund(takes)
      throw fault
    }
  }

  return { attempt }
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>
