import { Refusal } from '../../kernel/refusal.ts'
import { rateLimitHeaders } from '../../platform/rate-limits/rate-limit-headers.ts'
import type { RateLimits } from '../../platform/rate-limits/rate-limits.ts'
import type { TrustedProxies } from './reader-address.ts'
import { rateLimitCosts, type PublicRateLimits } from './public-rate-limits.ts'

export interface PublicLimitsDeps {
  rateLimits: RateLimits
  limits: PublicRateLimits
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: TrustedProxies
}

/** The caller whose requests are counted. */
export interface CountedCaller {
  clientKeyId: string
  /** Address of the reader as given by `readerAddress`; `undefined` if readers cannot be told apart. */
  address: string | undefined
}

/**
 * Counts one request against the limits of its operation.
 *
 * @returns headers of the answer, and the refusal RATE_LIMITED if a limit is reached
 */
export async function takePublicLimits(
  { rateLimits, limits }: Pick<PublicLimitsDeps, 'rateLimits' | 'limits'>,
  operationId: string,
  who: CountedCaller,
): Promise<{ headers: Record<string, string>; refusal: Refusal | undefined }> {
  const states = await rateLimits.take(rateLimitCosts(operationId, limits, who))
  const refused = states.find((state) => !state.isAllowed)
  return {
    headers: rateLimitHeaders(states),
    refusal: refused && new Refusal('RATE_LIMITED', { retryAfterSeconds: refused.resetSeconds }),
  }
}
