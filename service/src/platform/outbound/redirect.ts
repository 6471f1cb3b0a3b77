/** One request in a chain of redirects. */
export interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** Headers that may be sent to another origin; all others may contain a secret for the first one. */
const HARMLESS_HEADERS = ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'content-type']

/** The Location of a redirect, unparsed; undefined for other responses. */
export function locationOf(status: number, headers: Headers): string | undefined {
  return REDIRECTS.includes(status) ? (headers.get('location') ?? undefined) : undefined
}

/** The request that follows a redirect, as browsers make it; undefined if its address cannot be parsed. */
export function nextHop(hop: Hop, status: number, location: string): Hop | undefined {
  const url = URL.parse(location, hop.url.href)
  if (url === null) return undefined
  const becomesGet = status === 303 || (status <= 302 && hop.method === 'POST')
  const isSameOrigin = url.origin === hop.url.origin
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => {
      if (becomesGet && name.toLowerCase().startsWith('content-')) return false
      return isSameOrigin || HARMLESS_HEADERS.includes(name.toLowerCase())
    }),
  )
  return {
    url,
    method: becomesGet && hop.method !== 'HEAD' ? 'GET' : hop.method,
    headers,
    body: becomesGet ? undefined : hop.body,
  }
}
