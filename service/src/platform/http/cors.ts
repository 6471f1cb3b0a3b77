/** The headers that pages may send. Client secrets are not among them: they do not belong in a page. */
const REQUEST_HEADERS = 'Content-Type, Accept, X-Client-Key, X-Captcha-Token, X-Request-Id'

/** The headers of an answer that a page may read. */
const ANSWER_HEADERS = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy'

/** For how long a browser may remember a preflight. */
const PREFLIGHT_SECONDS = 600

/** What the star of a pattern stands for: one label or more, and nothing but labels. */
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
 * Whether a page of this origin is in a list of allowed ones: letter by letter, scheme and port included. `https://*.example.com`
 * stands for every origin below `example.com`, not for `https://example.com` itself. An empty list allows every page.
 *
 * @param origin - the header as it came
 * @param allowed - patterns as the contract's `Origin` reads them
 * @example
 * isOriginAllowed('https://docs.example.com', ['https://*.example.com']) // true
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const asked = origin.toLowerCase()
  return allowed.some((pattern) => matches(asked, pattern.toLowerCase()))
}

/** The headers that let a page of this origin read the answer. Only for an origin that has been allowed. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': ANSWER_HEADERS,
    vary: 'Origin',
  }
}

/**
 * The headers of an answer to a preflight. A preflight carries no key, so it cannot be judged: the request that follows is, and
 * without its own headers the page reads nothing.
 *
 * @param takesAnyHeader - for clients of others, which send headers of their own
 */
export function preflightHeaders(
  origin: string,
  methods: readonly string[],
  { takesAnyHeader }: { takesAnyHeader: boolean } = { takesAnyHeader: false },
): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods.join(', '),
    // The star stands for all but Authorization, which has to be named.
    'access-control-allow-headers': takesAnyHeader ? 'Authorization, *' : REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
    vary: 'Origin',
  }
}
