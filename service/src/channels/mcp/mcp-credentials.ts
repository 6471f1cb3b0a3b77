import { parseClientCredentials, type ClientCredentials } from '../../accounts/client-keys/client-keys.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'

/** The credentials of a request to `/mcp/<server_name>`: only a Bearer token. */
export function serverCredentials(request: Request): ClientCredentials | undefined {
  const token = bearerOf(request.headers)
  return token === undefined ? undefined : parseClientCredentials(token)
}

/**
 * The credentials of a request to the generic address: a Bearer token, `X-Client-Key`, or `client_key` in the query, for tools that can
 * send nothing else. An access token in the query is ignored.
 */
export function genericCredentials(request: Request): ClientCredentials | undefined {
  const inAddress = new URL(request.url).searchParams.get('client_key')?.trim()
  const word = bearerOf(request.headers) ?? request.headers.get('x-client-key')?.trim()
  if (word !== undefined && word !== '') return parseClientCredentials(word)
  // Only a public key: a secret must not be in a URL, which browser histories and logs store.
  return inAddress === undefined || inAddress === '' ? undefined : { key: inAddress }
}
