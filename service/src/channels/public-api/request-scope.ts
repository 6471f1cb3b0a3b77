import type { ClientKey } from '../../accounts/client-keys/client-keys.ts'
import { findGroups } from '../../content/source-groups/source-groups.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { AskedBasesDb } from './asked-bases-store.ts'

/** The groups that a key may use; `undefined` for no limit, which includes sources without a group. */
export function groupsOfKey(clientKey: ClientKey): string[] | undefined {
  return clientKey.allowedSourceGroupIds.length === 0 ? undefined : clientKey.allowedSourceGroupIds
}

/**
 * The groups that a request is limited to: those it names, each of which the caller must be allowed to use; otherwise all groups of the
 * caller. Never more.
 *
 * @param allowed the caller's groups; `undefined` for every group of the base
 * @throws Refusal GROUP_NOT_ALLOWED for an id that is not a group of this base, or not one of the caller's
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
  const known = await findGroups(db, knowledgeBaseId, groupIds)
  const isAllowed = (id: string) => known.has(id) && (allowed === undefined || allowed.includes(id))
  if (!groupIds.every(isAllowed)) throw new Refusal('GROUP_NOT_ALLOWED')
  return groupIds
}
