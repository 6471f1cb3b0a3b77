import { Refusal } from '../../kernel/refusal.ts'
import { rateLimitHeaders } from '../../platform/rate-limits/rate-limit-headers.ts'
import type { RateLimits } from '../../platform/rate-limits/rate-limits.ts'
import type { TrustedProxies } from './reader-address.ts'
import { takesOf, type PublicRateLimits } from './public-rate-limits.ts'

export interface PublicLimitsDeps {
  rateLimits: RateLimits
  limits: PublicRateLimits
  /** Whose word is taken for where a reader is. */
  trustedProxies: TrustedProxies
}

/** Who is counted. */
export interface CountedCaller {
  clientKeyId: string
  /** Of the reader, as `readerAddress` gives it; `undefined` where nobody can be told apart. */
  address: string | undefined
}

/**
 * Counts one request under the limits of its operation.
 *
 * @returns headers of the answer, and the refusal where a limit is reached: RATE_LIMITED
 */
export async function takePublicLimits(
  { rateLimits, limits }: Pick<PublicLimitsDeps, 'rateLimits' | 'limits'>,
  operationId: string,
  who: CountedCaller,
): Promise<{ headers: Record<string, string>; refusal: Refusal | undefined }> {
  const states = await rateLimits.take(takesOf(operationId, limits, who))
  const refused = states.find((state) => !state.isAllowed)
  return {
    headers: rateLimitHeaders(states),
    refusal: refused && new Refusal('RATE_LIMITED', { retryAfterSeconds: refused.resetSeconds }),
  }
}
