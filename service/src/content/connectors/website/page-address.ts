/** Longer addresses are left out. */
export const MAX_ADDRESS_CHARACTERS = 2_048

/** Query parameters that identify where a visitor came from and do not affect the page. */
const TRACKING =
  /^(utm_.+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|srsltid)$/i

/** Letters, digits and `-._~` mean the same whether or not they are escaped (RFC 3986, 6.2.2.2). */
export const unescapeUnreserved = (text: string): string =>
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
 * The normalized address of a page: no fragment, no tracking parameters, no user info, escapes as in RFC 3986. Undefined
 * if it is not a web address. Idempotent.
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

/** `dir/` and `dir/index.html` are the same page. */
export function isIndexAddress(pathname: string): boolean {
  return /\/(index|default)\.(html?|php|aspx?)$/i.test(pathname)
}

/** The directory of a path, with its slash: `/docs/` for `/docs/a.html`. */
export const directoryOf = (pathname: string) => pathname.slice(0, pathname.lastIndexOf('/') + 1)
