import type { Provider } from 'oidc-provider'
import { canonicalResource } from './protected-resources.ts'

/** The person who presents a token, and the tool. */
export interface SignedInPerson {
  /** `reader:…` or `user:…`. */
  accountId: string
  clientId: string
  grantId: string
}

/**
 * The person behind a token, if it was issued for this server and is valid. Looked up at each request, so that revoking a token or its
 * grant takes effect immediately.
 *
 * @param resource - the server's address
 */
export async function personOfToken(
  provider: Provider,
  token: string,
  resource: string,
): Promise<SignedInPerson | undefined> {
  const found = await provider.AccessToken.find(token)
  if (found === undefined || !found.isValid || found.grantId === undefined || found.clientId === undefined)
    return undefined
  const audiences = [found.aud].flat().map((audience) => canonicalResource(String(audience)))
  if (!audiences.includes(canonicalResource(resource))) return undefined
  const grant = await provider.Grant.find(found.grantId)
  if (grant === undefined || grant.accountId !== found.accountId) return undefined
  return { accountId: found.accountId, clientId: found.clientId, grantId: found.grantId }
}
