import type { RateLimitTake } from '../../platform/rate-limits/rate-limits.ts'
import type { McpReader } from './mcp-reader.ts'

const MINUTE = 60
const DAY = 24 * 60 * 60

/** Calls of tools that one person may make, by the kind of server (contract, "Limits"). */
const PER_PERSON = {
  public: { aMinute: 60, aDay: 500 },
  internal: { aMinute: 60, aDay: 2_000 },
} as const

/** What a call by a person who is signed in counts as: the day's limit is told apart by the kind of server. */
export function takesOfPerson(
  userRef: string,
  includeRestricted: McpReader['includeRestricted'],
): RateLimitTake[] {
  const kind = includeRestricted ? 'internal' : 'public'
  const { aMinute, aDay } = PER_PERSON[kind]
  return [
    { limit: { name: `mcp-${kind}-minute`, most: aMinute, windowSeconds: MINUTE }, key: userRef },
    { limit: { name: `mcp-${kind}-day`, most: aDay, windowSeconds: DAY }, key: userRef },
  ]
}
