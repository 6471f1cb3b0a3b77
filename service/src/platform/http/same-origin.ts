/**
 * Whether a request comes from a page of this service, according to headers that scripts cannot forge in a browser: `Sec-Fetch-Site`, and
 * `Origin` if that is missing (older browsers, and addresses without TLS).
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin')
  if (origin === null) return true
  const from = URL.parse(origin)
  if (from === null) return false
  return from.origin === new URL(publicUrl).origin || from.host === headers.get('host')
}
