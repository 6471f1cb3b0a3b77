import type { ClientKey } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isOriginAllowed } from '../../platform/http/cors.ts'
import { findAskedBase, type AskedBase, type AskedBasesDb } from './asked-bases-store.ts'

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
 * The base that a key opens.
 *
 * @param askedId the base that the request names, if it names one
 * @throws Refusal NOT_FOUND if that is another base than the key's, KNOWLEDGE_BASE_ARCHIVED
 */
export async function openAskedBase(
  db: AskedBasesDb,
  clientKey: ClientKey,
  askedId: string | undefined,
): Promise<AskedBase> {
  const isOther = askedId !== undefined && askedId.toLowerCase() !== clientKey.knowledgeBaseId
  const base = isOther ? undefined : await findAskedBase(db, clientKey.knowledgeBaseId)
  if (base === undefined) {
    throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base for this key.' })
  }
  if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  return base
}
