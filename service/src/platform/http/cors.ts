/** Headers that pages may send. Client secrets are not among them: they do not belong in a page. */
const REQUEST_HEADERS = 'Content-Type, Accept, X-Client-Key, X-Captcha-Token, X-Request-Id'

/** Response headers that a page may read. */
const RESPONSE_HEADERS = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy'

/** How long a browser may cache a preflight. */
const PREFLIGHT_SECONDS = 600

/** What the star of a pattern matches: one or more labels. */
const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

function matches(origin: string, pattern: string): boolean {
  const star = pattern.indexOf('*.')
  if (star < 0) return origin === pattern
  const scheme = pattern.slice(0, star)
  const rest = pattern.slice(star + 1)
  return (
    origin.startsWith(scheme) &&
    origin.endsWith(rest) &&
    LABELS.test(origin.slice(scheme.length, -rest.length))
  )
}

/**
 * Whether an origin is in a list of allowed ones. Scheme, host and port must match exactly. `https://*.example.com` matches every
 * origin below `example.com`, but not `https://example.com` itself. An empty list allows every origin.
 *
 * @param origin - the header as received
 * @param allowed - patterns in the format of the contract's `Origin`
 * @example
 * isOriginAllowed('https://docs.example.com', ['https://*.example.com']) // true
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const asked = origin.toLowerCase()
  return allowed.some((pattern) => matches(asked, pattern.toLowerCase()))
}

/**
 * The headers that let a page of this origin read the response: one that it is allowed to read, or a refusal, which tells only why. Without
 * them its script would see a broken connection, try again, and tell nobody what to change.
 */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': RESPONSE_HEADERS,
    vary: 'Origin',
  }
}

/** Those of a refusal, if its address is one for pages and a page asked. A page that the key does not allow reads nothing at all. */
export const refusalCorsHeaders = (isForPages: boolean, origin: string | null | undefined, code: string) =>
  isForPages && origin && code !== 'ORIGIN_NOT_ALLOWED' ? corsHeaders(origin) : {}

/**
 * The headers of a response to a preflight. A preflight carries no key, so it cannot be authorised; the request that follows is, and
 * without that response's own CORS headers the page can read nothing.
 *
 * @param takesAnyHeader - for third-party clients, which send headers that we do not know
 */
export function preflightHeaders(
  origin: string,
  methods: readonly string[],
  { takesAnyHeader }: { takesAnyHeader: boolean } = { takesAnyHeader: false },
): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods.join(', '),
    // The star covers every header except Authorization, which must be named.
    'access-control-allow-headers': takesAnyHeader ? 'Authorization, *' : REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
    vary: 'Origin',
  }
}
