import { parseClientCredentials, type ClientCredentials } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'

/** The credentials of a request to `/mcp/<server_name>`: only a Bearer token. */
export function serverCredentials(request: Request): ClientCredentials | undefined {
  const token = bearerOf(request.headers)
  return token === undefined ? undefined : parseClientCredentials(token)
}

/**
 * The credentials of a request to the generic address: a Bearer token, `X-Client-Key`, or `client_key` in the query, for tools that can
 * send nothing else. An access token in the query is ignored.
 *
 * @throws Refusal UNAUTHENTICATED for two different keys: which of their bases answers must not depend on where each one was found
 */
export function genericCredentials(request: Request): ClientCredentials | undefined {
  const inHeaders = [bearerOf(request.headers), request.headers.get('x-client-key')?.trim()]
  const inAddress = new URL(request.url).searchParams.getAll('client_key').map((key) => key.trim())
  const sent = new Set([...inHeaders, ...inAddress].filter((key) => key !== undefined && key !== ''))
  if (sent.size > 1)
    throw new Refusal('UNAUTHENTICATED', { because: 'Send one client key: these are different ones.' })
  const [key] = sent
  if (key === undefined) return undefined
  // Only a public key in the address: a secret must not be in a URL, which browser histories and logs store.
  return inHeaders.includes(key) ? parseClientCredentials(key) : { key }
}
