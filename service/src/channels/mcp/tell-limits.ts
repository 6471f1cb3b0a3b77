import type { CallToolResult } from '@modelcontextprotocol/server'
import type { RateLimitState } from '../../platform/rate-limits/rate-limits.ts'
import { toolFault } from './tool-result.ts'

/** Where a result says what is left, for programs. */
const LIMITS_META = 'citewell/limits'

const MINUTE = 60

const spanOf = ({ limit }: RateLimitState) => (limit.windowSeconds > MINUTE ? 'day' : 'minute')

/** What is left under each limit, to be added to a result; nothing where nothing is limited. */
export function limitsMeta(states: readonly RateLimitState[]): Pick<CallToolResult, '_meta'> {
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
 * The fault of a call that a limit refused, for a model to pass on: what is used up, what is left, and when to come back.
 *
 * @example
 * // Left: 0 of 60 calls of this minute, 440 of 500 calls of this day. Try again in 23 s.
 */
export function limitFault(states: readonly RateLimitState[], whose: 'key' | 'person'): CallToolResult {
  const reached = states.filter(({ isAllowed }) => !isAllowed)
  const wait = Math.max(1, ...reached.map(({ resetSeconds }) => resetSeconds))
  const left = states.map(
    (state) => `${number(state.remaining)} of ${number(state.limit.most)} calls of this ${spanOf(state)}`,
  )
  const shared = whose === 'key' ? ' Everyone who uses this key shares them.' : ''
  return { ...toolFault(`Left: ${left.join(', ')}.${shared} Try again in ${wait} s.`), ...limitsMeta(states) }
}
