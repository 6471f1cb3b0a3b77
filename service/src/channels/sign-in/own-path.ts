/** Where people land who did not ask for a page. */
const ACCOUNT_PATH = '/account'

/** Longest way back that is kept. */
const MOST_CHARACTERS = 2_000

/** No host is called that: whatever does not end up there again leads elsewhere. */
const HERE = 'http://here.invalid'

/**
 * A path of this service, or its account page: a way back that somebody else wrote must not lead away from here.
 *
 * @example
 * ownPath('/connect/abc?x=1') // '/connect/abc?x=1'
 * ownPath('//evil.example') // '/account'
 */
export function ownPath(to: unknown): string {
  // Browsers read a backslash as a slash, and pass over tabs and line breaks.
  if (typeof to !== 'string' || to.length > MOST_CHARACTERS || !/^\/[!-[\]-~]*$/.test(to)) return ACCOUNT_PATH
  const url = URL.parse(to, HERE)
  if (url === null || url.origin !== HERE || url.pathname.startsWith('//')) return ACCOUNT_PATH
  return url.pathname + url.search
}

/** The page where somebody signs in who then goes on to `to`, a path of this service. */
export const signInAddress = (to: string): string => `/sign-in?to=${encodeURIComponent(ownPath(to))}`
