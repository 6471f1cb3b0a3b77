import { RATE_LIMITS } from '@citewell/contract/limits'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { PublicRateLimits, TrustedProxies } from '../channels/public-api/public-api.ts'
import { emptyIsUnset, oneOf, wholeNumber } from './read-environment.ts'

/** Requests a minute; 0 for no limit. */
const aMinute = (standard: number) => emptyIsUnset(wholeNumber(0, 1_000_000).default(standard))

const isNetwork = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
const listOf = (text: string) => text.split(',').map((part) => part.trim())

/** The settings of the public API's limits, to be spread among the others. */
export const rateLimitEnvironment = {
  CITEWELL_RATE_LIMITS: emptyIsUnset(oneOf('on', 'off').default('on')),
  CITEWELL_RATE_LIMIT_CHAT_PER_KEY: aMinute(RATE_LIMITS.chatPerKey),
  CITEWELL_RATE_LIMIT_CHAT_PER_ADDRESS: aMinute(RATE_LIMITS.chatPerAddress),
  CITEWELL_RATE_LIMIT_SEARCH_PER_KEY: aMinute(RATE_LIMITS.searchPerKey),
  CITEWELL_RATE_LIMIT_RELATED_PER_KEY: aMinute(RATE_LIMITS.relatedPerKey),
  CITEWELL_RATE_LIMIT_SUGGESTED_PER_KEY: aMinute(RATE_LIMITS.suggestedPerKey),
  CITEWELL_RATE_LIMIT_FEEDBACK_PER_KEY: aMinute(RATE_LIMITS.feedbackPerKey),
  CITEWELL_RATE_LIMIT_OTHER_PER_KEY: aMinute(RATE_LIMITS.otherPerKey),
  CITEWELL_RATE_LIMIT_WIDGET_KEY_PER_ADDRESS: aMinute(RATE_LIMITS.widgetKeyPerAddress),
  CITEWELL_TRUST_PROXY: emptyIsUnset(
    z
      .string()
      .optional()
      .refine(
        (text) => text === undefined || text === 'near' || text === 'none' || listOf(text).every(isNetwork),
        { error: 'must be near, none, or addresses and CIDR ranges separated by commas' },
      ),
  ),
}

type RateLimitEnvironment = z.output<z.ZodObject<typeof rateLimitEnvironment>>

/** How often readers may ask, and whose word is taken for who they are. */
export interface RateLimitSettings {
  hasRateLimits: boolean
  publicRateLimits: PublicRateLimits
  /** Proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: TrustedProxies
}

/**
 * Nobody is believed unless it is said: whoever reaches the port would otherwise say who they are. With a public address there is most
 * likely a proxy on this machine, which is then no reader.
 */
function trustedProxiesOf(said: string | undefined, hasPublicUrl: boolean): TrustedProxies {
  if (said === undefined) return hasPublicUrl ? 'unset' : 'none'
  return said === 'near' || said === 'none' ? said : listOf(said)
}

export function rateLimitSettingsOf(
  read: RateLimitEnvironment,
  { hasPublicUrl }: { hasPublicUrl: boolean },
): RateLimitSettings {
  return {
    hasRateLimits: read.CITEWELL_RATE_LIMITS === 'on',
    publicRateLimits: {
      chatPerKey: read.CITEWELL_RATE_LIMIT_CHAT_PER_KEY,
      chatPerAddress: read.CITEWELL_RATE_LIMIT_CHAT_PER_ADDRESS,
      searchPerKey: read.CITEWELL_RATE_LIMIT_SEARCH_PER_KEY,
      relatedPerKey: read.CITEWELL_RATE_LIMIT_RELATED_PER_KEY,
      suggestedPerKey: read.CITEWELL_RATE_LIMIT_SUGGESTED_PER_KEY,
      feedbackPerKey: read.CITEWELL_RATE_LIMIT_FEEDBACK_PER_KEY,
      otherPerKey: read.CITEWELL_RATE_LIMIT_OTHER_PER_KEY,
      widgetKeyPerAddress: read.CITEWELL_RATE_LIMIT_WIDGET_KEY_PER_ADDRESS,
    },
    trustedProxies: trustedProxiesOf(read.CITEWELL_TRUST_PROXY, hasPublicUrl),
  }
}
