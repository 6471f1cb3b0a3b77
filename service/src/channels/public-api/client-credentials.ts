import type { Endpoint } from '@citewell/contract/endpoint'
import { parseClientCredentials, type ClientCredentials } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'

/**
 * The credentials of a request: `X-Client-Key`, or `X-Client-Id` with `X-Client-Secret`.
 *
 * @throws Refusal UNAUTHENTICATED for none, for half a pair, and for both kinds together
 */
function clientCredentials(headers: Headers): ClientCredentials {
  return credentialsOf({
    key: headers.get('x-client-key')?.trim(),
    clientId: headers.get('x-client-id')?.trim(),
    clientSecret: headers.get('x-client-secret')?.trim(),
  })
}

/** A public key, or both halves of a pair. Throws as `clientCredentials` does. */
export function credentialsOf(presented: {
  key: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
}): ClientCredentials {
  const { key, clientId, clientSecret } = presented
  if (key !== undefined && clientId === undefined && clientSecret === undefined) return { key }
  if (key === undefined && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret }
  throw new Refusal('UNAUTHENTICATED', {
    because: 'Send a client key as X-Client-Key, or a secret pair as X-Client-Id and X-Client-Secret.',
  })
}

/**
 * The same for clients that know one key and one header: `Authorization: Bearer cw_pk_…`, or a secret pair as
 * `Bearer cw_id_…:cw_sk_…`. Our own headers take precedence, because those clients always send the other one.
 */
function bearerCredentials(headers: Headers): ClientCredentials {
  if (headers.has('x-client-key') || headers.has('x-client-id')) return clientCredentials(headers)
  const token = bearerOf(headers)
  if (token === undefined)
    throw new Refusal('UNAUTHENTICATED', { because: 'Send a client key as the API key.' })
  return parseClientCredentials(token)
}

/** The credentials of a request, read from the headers that its endpoint uses. */
export const credentialsFor = (endpoint: Endpoint, headers: Headers): ClientCredentials =>
  endpoint.wireFormat === 'openai' ? bearerCredentials(headers) : clientCredentials(headers)
