import type { Provider } from 'oidc-provider'
import { canonicalResource } from './protected-resources.ts'

/** Who presents a token, and through which tool. */
export interface SignedInPerson {
  /** `reader:…` or `user:…`. */
  accountId: string
  clientId: string
  grantId: string
}

/**
 * The person behind a token, if it was made for this server and is still good. It is looked up at each request: a token that was
 * revoked, or whose grant was, is gone at once.
 *
 * @param resource - the server's address
 */
export async function personBehind(
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
