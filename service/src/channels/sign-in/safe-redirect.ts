/** The default target after signing in. */
const ACCOUNT_PATH = '/account'

/** Longest redirect target that is kept. */
const MAX_CHARACTERS = 2_000

/** A host that cannot exist (RFC 6761, 6.4): a target that does not resolve to it leads to another site. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid'

/**
 * A safe redirect target: a path of this service, or else the account page. Prevents open redirects.
 *
 * @example
 * safeRedirect('/connect/abc?x=1') // '/connect/abc?x=1'
 * safeRedirect('//evil.example') // '/account'
 */
export function safeRedirect(to: unknown): string {
  // Browsers read a backslash as a slash, and ignore tabs and line breaks.
  if (typeof to !== 'string' || to.length > MAX_CHARACTERS || !/^\/[!-[\]-~]*$/.test(to)) return ACCOUNT_PATH
  const url = URL.parse(to, PLACEHOLDER_ORIGIN)
  if (url === null || url.origin !== PLACEHOLDER_ORIGIN || url.pathname.startsWith('//')) return ACCOUNT_PATH
  return url.pathname + url.search
}

/** The sign-in page, which then redirects to `to`, a path of this service. */
export const signInAddress = (to: string): string => `/sign-in?to=${encodeURIComponent(safeRedirect(to))}`
