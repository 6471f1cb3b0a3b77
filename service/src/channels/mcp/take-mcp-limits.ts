import { Refusal } from '../../kernel/refusal.ts'
import type { RateLimits, RateLimitState } from '../../platform/rate-limits/rate-limits.ts'
import { takesOf, type PublicRateLimits } from '../public-api/public-api.ts'
import { requestTakeOf, takesOfPerson, type McpCaller } from './mcp-rate-limits.ts'
import type { Tool } from './tools/tool.ts'

export interface McpLimitsDeps {
  /** Counts for all processes together. */
  rateLimits: RateLimits
  /** Counts in this process alone: the bound on requests is wide, and need not be exact. */
  ownRateLimits: RateLimits
  /** Of a key: it shares them with the public API. */
  publicLimits: PublicRateLimits
}

/** How the limits of a caller stand after a call was counted, or refused. */
export interface McpLimitsTaken {
  isAllowed: boolean
  /** Every limit that the call counts under. */
  states: RateLimitState[]
}

export function createMcpLimits({ rateLimits, ownRateLimits, publicLimits }: McpLimitsDeps) {
  /** Counts one call of a tool. */
  async function takeCall(caller: McpCaller, countsAs: Tool['countsAs']): Promise<McpLimitsTaken> {
    const takes =
      'clientKeyId' in caller
        ? takesOf(countsAs, publicLimits, { ...caller, address: undefined })
        : takesOfPerson(caller.userRef, caller.kind)
    const states = await rateLimits.take(takes)
    if (states.every(({ isAllowed }) => isAllowed)) return { isAllowed: true, states }
    // Those behind the one that refused were not looked at, and the caller wants to know what is left of them.
    return { isAllowed: false, states: await rateLimits.peek(takes) }
  }

  /** Bounds requests of any kind. Throws RATE_LIMITED. */
  async function boundRequests(caller: McpCaller): Promise<void> {
    const [state] = await ownRateLimits.take([requestTakeOf(caller)])
    if (state?.isAllowed === false)
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds })
  }

  return { takeCall, boundRequests }
}

export type McpLimits = ReturnType<typeof createMcpLimits>
