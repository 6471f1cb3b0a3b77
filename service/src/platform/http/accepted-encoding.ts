export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * The smallest encoding that the client takes.
 *
 * @param header Accept-Encoding as received
 * @example
 * acceptedEncoding('gzip, deflate, br;q=0') // 'gzip'
 */
export function acceptedEncoding(header: string | undefined): Encoding {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'identity'
}
