import { LIMITS } from '@citewell/contract/limits'
import type { RateLimit, RateLimitCost } from '../../platform/rate-limits/rate-limits.ts'
import type { AnyReader } from './mcp-reader.ts'

const MINUTE = 60
const DAY = 24 * 60 * 60

/** Kinds of servers that people sign in to; each counts for itself. */
export type SignInKind = keyof typeof LIMITS.mcp.perPerson

/** Who is counted: all users of a key together, or a person over all servers of a kind. */
export type McpCaller = { clientKeyId: string } | { userRef: string; kind: SignInKind }

export function callerOf({ userRef, clientKeyId, kind }: AnyReader): McpCaller {
  if (userRef !== undefined && kind !== 'key') return { userRef, kind }
  return { clientKeyId: clientKeyId ?? '' }
}

/** What a call of a tool by a person counts as. The minute comes first: a call that it refuses does not use up the day. */
export function takesOfPerson(userRef: string, kind: SignInKind): RateLimitCost[] {
  const { aMinute, aDay } = LIMITS.mcp.perPerson[kind]
  return [
    { limit: { name: `mcp-${kind}-minute`, most: aMinute, windowSeconds: MINUTE }, key: userRef },
    { limit: { name: `mcp-${kind}-day`, most: aDay, windowSeconds: DAY }, key: userRef },
  ]
}

const aMinuteOf = (name: string, most: number): RateLimit => ({ name, most, windowSeconds: MINUTE })

/** The wide bound on requests of any kind, so that what counts as no call is not without end. */
export function requestTakeOf(caller: McpCaller): RateLimitCost {
  const { perKey, perPerson } = LIMITS.mcp.requestsAMinute
  return 'clientKeyId' in caller
    ? { limit: aMinuteOf('mcp-requests-key', perKey), key: caller.clientKeyId }
    : { limit: aMinuteOf('mcp-requests-person', perPerson), key: caller.userRef }
}
