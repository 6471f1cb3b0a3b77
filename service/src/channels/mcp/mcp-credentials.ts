import type { ClientCredentials } from '../../accounts/client-keys/client-keys.ts'

const BEARER = /^Bearer +(?<token>\S+)\s*$/i

/** The token of `Authorization: Bearer …`; undefined without one. */
export const bearerOf = (headers: Headers): string | undefined =>
  BEARER.exec(headers.get('authorization') ?? '')?.groups?.['token']

/** A client key as one word: a public key, or a secret pair as `cw_id_…:cw_sk_…`. */
function credentialsOf(word: string): ClientCredentials {
  const [clientId = '', clientSecret] = word.split(':', 2)
  return clientSecret === undefined ? { key: word } : { clientId, clientSecret }
}

/** What a request to a server of its own address presents: a Bearer token alone. */
export function serverCredentials(request: Request): ClientCredentials | undefined {
  const token = bearerOf(request.headers)
  return token === undefined ? undefined : credentialsOf(token)
}

/**
 * What a request to the generic address presents: a Bearer token, `X-Client-Key`, or `client_key` in the query, for tools that can
 * send nothing else. An access token in the query is never looked at.
 */
export function genericCredentials(request: Request): ClientCredentials | undefined {
  const inAddress = new URL(request.url).searchParams.get('client_key')?.trim()
  const word = bearerOf(request.headers) ?? request.headers.get('x-client-key')?.trim()
  if (word !== undefined && word !== '') return credentialsOf(word)
  // A secret does not belong in an address, which histories and logs keep.
  return inAddress === undefined || inAddress === '' ? undefined : { key: inAddress }
}
