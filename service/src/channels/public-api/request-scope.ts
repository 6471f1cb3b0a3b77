import type { ClientKey } from '../../accounts/client-keys/client-keys.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { findGroupsOf, type AskedBasesDb } from './asked-bases-store.ts'

/** The groups a key may use; `undefined` for all of them, also those without a group. */
export function groupsOfKey(clientKey: ClientKey): string[] | undefined {
  return clientKey.allowedSourceGroupIds.length === 0 ? undefined : clientKey.allowedSourceGroupIds
}

/**
 * The groups that a request is limited to: those it names, each of which must be one the asker may use; else all of
 * the asker's. Never wider.
 *
 * @param allowed the asker's own groups; `undefined` for every group of the base
 * @throws Refusal GROUP_NOT_ALLOWED for what is no group of this base, or not one of the asker's
 */
export async function groupScope(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  allowed: readonly string[] | undefined,
  asked: readonly string[] | null | undefined,
): Promise<string[] | undefined> {
  const groupIds = [...new Set((asked ?? []).map((id) => id.toLowerCase()))]
  if (groupIds.length === 0) return allowed === undefined ? undefined : [...allowed]
  if (!groupIds.every((id) => isUuid(id))) throw new Refusal('GROUP_NOT_ALLOWED')
  const known = await findGroupsOf(db, knowledgeBaseId, groupIds)
  const isAllowed = (id: string) => known.has(id) && (allowed === undefined || allowed.includes(id))
  if (!groupIds.every(isAllowed)) throw new Refusal('GROUP_NOT_ALLOWED')
  return groupIds
}
