/** What a response says about when the next request may come. */
export interface RateAdvice {
  /** Milliseconds to wait from now; undefined if it does not say. */
  waitMs: number | undefined
  /** Requests left until then; undefined if it does not say. */
  remaining: number | undefined
}

/** Above these, a reset is a time (in milliseconds, in seconds) and not a number of seconds from now. */
const EPOCH_MS = 1e11
const EPOCH_S = 1e8

const numberOf = (text: string | null | undefined): number | undefined => {
  const value = Number((text ?? '').trim() || Number.NaN)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

const firstOf = (headers: Headers, names: readonly string[]): number | undefined => {
  for (const name of names) {
    const value = numberOf(headers.get(name))
    if (value !== undefined) return value
  }
  return undefined
}

/** The `RateLimit` field of the IETF drafts: `limit=100, remaining=0, reset=30`, and `"default";r=0;t=30`. */
function fieldOf(headers: Headers, ...names: string[]): number | undefined {
  const text = (headers.get('ratelimit') ?? '').slice(0, 1_000)
  for (const part of text.split(/[;,]/)) {
    const [name = '', value] = part.split('=', 2)
    if (names.includes(name.trim().toLowerCase())) return numberOf(value)
  }
  return undefined
}

/**
 * Reads `Retry-After` (seconds or a date), `X-RateLimit-*`, `X-Rate-Limit-*`, `RateLimit-*` and `RateLimit`. Times are compared with the
 * clock of the server (`Date`), which may differ from ours.
 */
export function readRateHeaders(headers: Headers, now: number): RateAdvice {
  const date = Date.parse(headers.get('date') ?? '')
  const serverNow = Number.isNaN(date) ? now : date
  const fromNow = (value: number): number => {
    if (value > EPOCH_MS) return Math.max(0, value - serverNow)
    if (value > EPOCH_S) return Math.max(0, value * 1_000 - serverNow)
    return value * 1_000
  }
  const remaining =
    firstOf(headers, ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining']) ??
    fieldOf(headers, 'remaining', 'r')
  const retryAfter = headers.get('retry-after')
  if (retryAfter !== null) {
    const seconds = numberOf(retryAfter)
    // A date begins with its weekday. `Date.parse` takes `-5` for one, too.
    const time = /^[a-z]{3}/i.test(retryAfter.trim()) ? Date.parse(retryAfter) : Number.NaN
    if (seconds !== undefined) return { waitMs: seconds * 1_000, remaining }
    if (!Number.isNaN(time)) return { waitMs: Math.max(0, time - serverNow), remaining }
  }
  const reset =
    firstOf(headers, ['x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset']) ??
    fieldOf(headers, 'reset', 't')
  return { waitMs: reset === undefined ? undefined : fromNow(reset), remaining }
}
