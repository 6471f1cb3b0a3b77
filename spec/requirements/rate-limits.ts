import type { Requirement } from '../requirement.ts'

const publicLimits = 'service/src/channels/public-api/public-rate-limits.ts'
const counters = 'service/src/platform/rate-limits/rate-limits.ts'
const spec = 'open-items#3-public-api-the-parts-not-shown'

export const RATE_LIMITS = {
  'rate-limits.chat-per-key': {
    says: 'Chat: 60 a minute for a key, for all who use it together.',
    spec,
    lives: publicLimits,
  },
  'rate-limits.chat-per-address': {
    says: 'Chat: 20 a minute for an address.',
    spec,
    lives: publicLimits,
  },
  'rate-limits.search': {
    says: 'Search: 300 a minute for a key.',
    spec,
    lives: publicLimits,
  },
  'rate-limits.feedback': {
    says: 'Feedback: 60 a minute for a key.',
    spec,
    lives: publicLimits,
  },
  'rate-limits.settable': {
    says: 'Each limit is a setting, and 0 is no limit.',
    spec,
    lives: 'service/src/app/rate-limit-settings.ts',
  },
  'rate-limits.headers': {
    says: 'Every counted answer carries RateLimit and RateLimit-Policy, a refused one Retry-After too.',
    spec: 'open-items#error-body',
    lives: 'service/src/platform/rate-limits/rate-limit-headers.ts',
  },
  'rate-limits.headers-for-pages': {
    says: 'Pages of other origins may read these headers.',
    spec: 'open-items#error-body',
    lives: 'service/src/platform/http/cors.ts',
  },
  'rate-limits.several-processes': {
    says: 'Processes on one database count together: of 200 requests at once exactly 60 pass.',
    spec,
    lives: counters,
  },
  'rate-limits.clock': {
    says: 'A window ends by the clock that counts it: a clock that is put forward or back locks nobody out for longer than a window.',
    spec,
    lives: counters,
  },
  'rate-limits.reader-address': {
    says: 'A reader counts by the address behind the proxies that the service trusts, and one on IPv6 by the /64.',
    spec,
    lives: 'service/src/channels/public-api/reader-address.ts',
  },
} as const satisfies Record<string, Requirement>
