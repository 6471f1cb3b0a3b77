/** One request of a chain of redirects. */
export interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** What another origin may see of a request; everything else may be a secret of the first one. */
const HARMLESS_HEADERS = ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'content-type']

/** Where an answer sends on to, as it stands there; undefined when it is no redirect. */
export function locationOf(status: number, headers: Headers): string | undefined {
  return REDIRECTS.includes(status) ? (headers.get('location') ?? undefined) : undefined
}

/** The request that a redirect asks for, as browsers make it; undefined when its address cannot be read. */
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
