import { RATE_LIMITS } from '@citewell/contract/limits'
import { rateLimitedAs } from '@citewell/contract/rate-limited'
import type { RateLimit, RateLimitCost } from '../../platform/rate-limits/rate-limits.ts'

/** Requests per minute on the public API, 0 for no limit. */
export type PublicRateLimits = Record<keyof typeof RATE_LIMITS, number>

export const DEFAULT_PUBLIC_RATE_LIMITS: PublicRateLimits = RATE_LIMITS

const aMinute = (name: string, most: number): RateLimit => ({ name, most, windowSeconds: 60 })

/**
 * The limits that one request counts against. The limit of the reader comes before the one that all readers of a key share.
 *
 * @param operationId - id of the endpoint in the contract
 */
export function rateLimitCosts(
  operationId: string,
  limits: PublicRateLimits,
  who: { clientKeyId: string; address: string | undefined },
): RateLimitCost[] {
  const ofKey = (name: string, most: number) => ({ limit: aMinute(name, most), key: who.clientKeyId })
  switch (rateLimitedAs(operationId)) {
    case 'chat': {
      const { address } = who
      const byAddress =
        address === undefined ? [] : [{ limit: aMinute('chat-address', limits.chatPerAddress), key: address }]
      return [...byAddress, ofKey('chat-key', limits.chatPerKey)]
    }
    case 'search':
      return [ofKey('search-key', limits.searchPerKey)]
    case 'related':
      return [ofKey('related-key', limits.relatedPerKey)]
    case 'suggested':
      return [ofKey('suggested-key', limits.suggestedPerKey)]
    case 'feedback':
      return [ofKey('feedback-key', limits.feedbackPerKey)]
    case 'widget-key': {
      const limit = aMinute('widget-key-address', limits.widgetKeyPerAddress)
      return who.address === undefined ? [] : [{ limit, key: who.address }]
    }
    case 'other':
      return [ofKey('other-key', limits.otherPerKey)]
  }
}
