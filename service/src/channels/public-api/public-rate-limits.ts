import { RATE_LIMITS } from '@citewell/contract/limits'
import type { RateLimit, RateLimitTake } from '../../platform/rate-limits/rate-limits.ts'

/** Requests a minute on the public API, 0 for no limit. */
export type PublicRateLimits = Record<keyof typeof RATE_LIMITS, number>

export const DEFAULT_PUBLIC_RATE_LIMITS: PublicRateLimits = RATE_LIMITS

const aMinute = (name: string, most: number): RateLimit => ({ name, most, windowSeconds: 60 })

/**
 * What one request counts for. A reader's own limit comes before the one that all readers of a key share.
 *
 * @param operationId - the endpoint's, as the contract names it
 */
export function takesOf(
  operationId: string,
  limits: PublicRateLimits,
  who: { clientKeyId: string; address: string | undefined },
): RateLimitTake[] {
  const ofKey = (name: string, most: number) => ({ limit: aMinute(name, most), key: who.clientKeyId })
  switch (operationId) {
    case 'chat':
    case 'chatOnThread': {
      const { address } = who
      const byAddress =
        address === undefined ? [] : [{ limit: aMinute('chat-address', limits.chatPerAddress), key: address }]
      return [...byAddress, ofKey('chat-key', limits.chatPerKey)]
    }
    case 'search':
    case 'findRelated':
      return [ofKey('search-key', limits.searchPerKey)]
    case 'giveFeedback':
    case 'withdrawFeedback':
      return [ofKey('feedback-key', limits.feedbackPerKey)]
    default:
      return []
  }
}
