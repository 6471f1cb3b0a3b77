import type { ClientKey, KeyedBase } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isOriginAllowed } from '../../platform/http/cors.ts'

/**
 * A page may use a key only from an origin that the key allows. Servers send no origin, and pass.
 *
 * @throws Refusal ORIGIN_NOT_ALLOWED
 */
export function requireOriginOfKey(clientKey: ClientKey, origin: string | undefined): void {
  if (origin !== undefined && !isOriginAllowed(origin, clientKey.allowedOrigins))
    throw new Refusal('ORIGIN_NOT_ALLOWED')
}

/**
 * The base that a key opens, as it was read together with the key.
 *
 * @param askedId the base that the request names, if it names one
 * @throws Refusal NOT_FOUND if that is another base than the key's, KNOWLEDGE_BASE_ARCHIVED
 */
export function openAskedBase(clientKey: ClientKey, askedId: string | undefined): KeyedBase {
  if (askedId !== undefined && askedId.toLowerCase() !== clientKey.knowledgeBaseId)
    throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base for this key.' })
  if (clientKey.base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  return clientKey.base
}
