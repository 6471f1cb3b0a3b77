import type { RateLimitState } from './rate-limits.ts'

/**
 * The headers that show a client what is left of its limits (draft-ietf-httpapi-ratelimit-headers), with `Retry-After` if a limit
 * refused. Empty without limits.
 *
 * @example
 * rateLimitHeaders(states)
 * // { 'RateLimit-Policy': '"chat-key";q=60;w=60', RateLimit: '"chat-key";r=12;t=31' }
 */
export function rateLimitHeaders(states: readonly RateLimitState[]): Record<string, string> {
  if (states.length === 0) return {}
  const refused = states.find((state) => !state.isAllowed)
  return {
    'RateLimit-Policy': states
      .map(({ limit }) => `"${limit.name}";q=${limit.most};w=${limit.windowSeconds}`)
      .join(', '),
    RateLimit: states
      .map(({ limit, remaining, resetSeconds }) => `"${limit.name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    ...(refused !== undefined && { 'Retry-After': String(refused.resetSeconds) }),
  }
}
