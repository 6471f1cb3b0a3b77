import type { CallToolResult } from '@modelcontextprotocol/server'
import type { RateLimitState } from '../../platform/rate-limits/rate-limits.ts'
import { toolError } from './tool-result.ts'

/** Key of the remaining limits in the metadata of a result, for programs. */
const LIMITS_META = 'citewell/limits'

const MINUTE = 60

const spanOf = ({ limit }: RateLimitState) => (limit.windowSeconds > MINUTE ? 'day' : 'minute')

/** The remaining calls of each limit, as metadata of a result; nothing without limits. */
export function rateLimitMeta(states: readonly RateLimitState[]): Pick<CallToolResult, '_meta'> {
  if (states.length === 0) return {}
  const limits = states.map(({ limit, remaining, resetSeconds }) => ({
    name: limit.name,
    limit: limit.most,
    remaining,
    reset_seconds: resetSeconds,
  }))
  return { _meta: { [LIMITS_META]: limits } }
}

const number = (count: number) => count.toLocaleString('en')

/**
 * The error of a rate-limited call, for a model to pass on: what is used up, what is left, and when to retry.
 *
 * @example
 * // Left: 0 of 60 calls of this minute, 440 of 500 calls of this day. Try again in 23 s.
 */
export function rateLimitError(states: readonly RateLimitState[], whose: 'key' | 'person'): CallToolResult {
  const reached = states.filter(({ isAllowed }) => !isAllowed)
  const wait = Math.max(1, ...reached.map(({ resetSeconds }) => resetSeconds))
  const left = states.map(
    (state) => `${number(state.remaining)} of ${number(state.limit.most)} calls of this ${spanOf(state)}`,
  )
  const shared = whose === 'key' ? ' Everyone who uses this key shares them.' : ''
  return {
    ...toolError(`Left: ${left.join(', ')}.${shared} Try again in ${wait} s.`),
    ...rateLimitMeta(states),
  }
}
