import type { ClientCredentials } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'

/**
 * What a request presents: `X-Client-Key`, or `X-Client-Id` with `X-Client-Secret`.
 *
 * @throws Refusal UNAUTHENTICATED for none, for half a pair, and for both kinds at once
 */
export function clientCredentials(headers: Headers): ClientCredentials {
  const key = headers.get('x-client-key')?.trim()
  const clientId = headers.get('x-client-id')?.trim()
  const clientSecret = headers.get('x-client-secret')?.trim()
  if (key !== undefined && clientId === undefined && clientSecret === undefined) return { key }
  if (key === undefined && clientId !== undefined && clientSecret !== undefined)
    return { clientId, clientSecret }
  throw new Refusal('UNAUTHENTICATED', {
    because: 'Send a client key as X-Client-Key, or a secret pair as X-Client-Id and X-Client-Secret.',
  })
}
