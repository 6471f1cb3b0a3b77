import { Refusal } from '../../kernel/refusal.ts'
import type { RateLimits, RateLimitState } from '../../platform/rate-limits/rate-limits.ts'
import { rateLimitCosts, type PublicRateLimits } from '../public-api/public-api.ts'
import { requestRateLimitCost, personRateLimitCosts, type McpCaller } from './mcp-rate-limits.ts'
import type { Tool } from './tools/tool.ts'

export interface McpLimitsDeps {
  /** Counters shared by all processes. */
  rateLimits: RateLimits
  /** Counters of this process only: the limit on requests is wide, and need not be exact. */
  ownRateLimits: RateLimits
  /** Limits of a key, which are shared with the public API. */
  publicLimits: PublicRateLimits
}

/** The limits of a caller after a call was counted or refused. */
export interface McpLimitsTaken {
  isAllowed: boolean
  /** Every limit that the call counts against. */
  states: RateLimitState[]
}

export function createMcpLimits({ rateLimits, ownRateLimits, publicLimits }: McpLimitsDeps) {
  /** Counts one call of a tool. */
  async function takeCall(caller: McpCaller, countsAs: Tool['countsAs']): Promise<McpLimitsTaken> {
    const takes =
      'clientKeyId' in caller
        ? rateLimitCosts(countsAs, publicLimits, { ...caller, address: undefined })
        : personRateLimitCosts(caller.userRef, caller.kind)
    const states = await rateLimits.take(takes)
    if (states.every(({ isAllowed }) => isAllowed)) return { isAllowed: true, states }
    // The states after the refusing limit were not read, and the caller needs to know all of them.
    return { isAllowed: false, states: await rateLimits.peek(takes) }
  }

  /** Limits requests of any kind. Throws RATE_LIMITED. */
  async function limitRequests(caller: McpCaller): Promise<void> {
    const [state] = await ownRateLimits.take([requestRateLimitCost(caller)])
    if (state?.isAllowed === false)
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds })
  }

  return { takeCall, limitRequests }
}

export type McpLimits = ReturnType<typeof createMcpLimits>
