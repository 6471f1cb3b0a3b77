/** Addresses longer than this are left out. */
export const MAX_ADDRESS_CHARACTERS = 2_048

/** Query parameters that say where a reader came from, and never what the page is. */
const TRACKING =
  /^(utm_.+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|srsltid)$/i

/** Letters, digits and `-._~` mean the same escaped and as they are (RFC 3986, 6.2.2.2). */
const unescapeUnreserved = (text: string) =>
  text.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
  })

function withoutTracking(search: string): string {
  if (search.length <= 1) return ''
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !TRACKING.test(pair.split('=', 1)[0] ?? ''))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/**
 * The one spelling of a page's address: no fragment, no tracking parameters, no user info, escapes as in RFC 3986. Undefined
 * when it is not a web address. Applying it twice changes nothing.
 *
 * @example
 * normaliseAddress('../a/%7Ejoe/?utm_source=x#top', 'https://docs.example.com/b/c') // 'https://docs.example.com/a/~joe/'
 */
export function normaliseAddress(address: string, base?: string): string | undefined {
  const url = URL.parse(address, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1)
  url.pathname = unescapeUnreserved(url.pathname)
  url.search = withoutTracking(unescapeUnreserved(url.search))
  return url.href
}

/** Two spellings of one page: `dir/` and `dir/index.html`. */
export function isIndexAddress(pathname: string): boolean {
  return /\/(index|default)\.(html?|php|aspx?)$/i.test(pathname)
}

/** The directory of a path, with its slash: `/docs/` of `/docs/a.html`. */
export const directoryOf = (pathname: string) => pathname.slice(0, pathname.lastIndexOf('/') + 1)
