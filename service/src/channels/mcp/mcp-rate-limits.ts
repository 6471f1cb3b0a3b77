import { LIMITS } from '@citewell/contract/limits'
import type { RateLimit, RateLimitCost } from '../../platform/rate-limits/rate-limits.ts'
import type { AnyReader } from './mcp-reader.ts'

const MINUTE = 60
const DAY = 24 * 60 * 60

/** Kinds of servers with sign-in; each has separate limits. */
export type SignInKind = keyof typeof LIMITS.mcp.perPerson

/** The caller that is counted: a key with all of its users, or a person over all servers of a kind. */
export type McpCaller = { clientKeyId: string } | { userRef: string; kind: SignInKind }

export function callerOf({ userRef, clientKeyId, kind }: AnyReader): McpCaller {
  if (userRef !== undefined && kind !== 'key') return { userRef, kind }
  return { clientKeyId: clientKeyId ?? '' }
}

/**
 * The limits that a tool call of a person counts against. The minute comes first, so that a call it refuses does not count against the day.
 */
export function personRateLimitCosts(userRef: string, kind: SignInKind): RateLimitCost[] {
  const { aMinute, aDay } = LIMITS.mcp.perPerson[kind]
  return [
    { limit: { name: `mcp-${kind}-minute`, most: aMinute, windowSeconds: MINUTE }, key: userRef },
    { limit: { name: `mcp-${kind}-day`, most: aDay, windowSeconds: DAY }, key: userRef },
  ]
}

const aMinuteOf = (name: string, most: number): RateLimit => ({ name, most, windowSeconds: MINUTE })

/** The wide limit on requests of any kind, for those that do not count as calls. */
export function requestRateLimitCost(caller: McpCaller): RateLimitCost {
  const { perKey, perPerson } = LIMITS.mcp.requestsAMinute
  return 'clientKeyId' in caller
    ? { limit: aMinuteOf('mcp-requests-key', perKey), key: caller.clientKeyId }
    : { limit: aMinuteOf('mcp-requests-person', perPerson), key: caller.userRef }
}
