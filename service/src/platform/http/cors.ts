/** The headers that pages may send. Client secrets are not among them: they do not belong in a page. */
const REQUEST_HEADERS = 'Content-Type, Accept, X-Client-Key, X-Captcha-Token, X-Request-Id'

/** The headers of an answer that a page may read. */
const ANSWER_HEADERS = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy'

/** For how long a browser may remember a preflight. */
const PREFLIGHT_SECONDS = 600

/**
 * Whether a page of this origin is in a list of allowed ones: letter by letter, scheme and port included. `https://*.example.com`
 * stands for every origin below `example.com`, not for `https://example.com` itself. An empty list allows every page.
 *
 * @example
 * isOriginAllowed('https://docs.example.com', ['https://*.example.com']) // true
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const asked = origin.toLowerCase()
  return allowed.some((pattern) => {
    const star = pattern.indexOf('*.')
    if (star < 0) return asked === pattern.toLowerCase()
    const scheme = pattern.slice(0, star).toLowerCase()
    const rest = pattern.slice(star + 1).toLowerCase()
    const labels = asked.slice(scheme.length, -rest.length)
    return asked.startsWith(scheme) && asked.endsWith(rest) && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(labels)
  })
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
 */
export function preflightHeaders(origin: string, methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
    vary: 'Origin',
  }
}
