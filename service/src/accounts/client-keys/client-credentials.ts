/** What a client presents: a public key, or both halves of a secret pair. */
export type ClientCredentials = { key: string } | { clientId: string; clientSecret: string }

/** Parses a client key that was sent as one token: a public key, or a secret pair as `cw_id_…:cw_sk_…`. */
export function parseClientCredentials(token: string): ClientCredentials {
  const [clientId = '', clientSecret] = token.split(':', 2)
  return clientSecret === undefined ? { key: token } : { clientId, clientSecret }
}
