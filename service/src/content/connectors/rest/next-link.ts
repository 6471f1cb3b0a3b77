/**
 * The address of the next page in a `Link` header (RFC 8288); undefined if there is none.
 */
export function nextLink(headers: Headers): string | undefined {
  const text = (headers.get('link') ?? '').slice(0, 10_000)
  for (const part of text.split(',')) {
    const [address = '', ...parameters] = part.split(';')
    const isNext = parameters.some((parameter) => /^rel="?next"?$/i.test(parameter.trim()))
    const given = address.trim()
    if (isNext && given.startsWith('<') && given.endsWith('>')) return given.slice(1, -1)
  }
  return undefined
}
