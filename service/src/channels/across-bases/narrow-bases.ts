import { Refusal } from '../../kernel/refusal.ts'
import { findGroupsIn, findSourcesIn, type AcrossBasesDb } from './across-bases-store.ts'

/** The lists of a call. Each narrows what is read; a missing or empty list does not. */
export interface Narrowing {
  knowledge_base_ids?: readonly string[] | undefined
  group_ids?: readonly string[] | undefined
  source_ids?: readonly string[] | undefined
}

/** A base, and the groups and sources of it that are read; undefined for all. */
export interface NarrowedBase<Base extends { id: string }> {
  base: Base
  groupIds: string[] | undefined
  sourceIds: string[] | undefined
}

/** The same answer for an id that is not chosen, not permitted, in another workspace, or unknown, so that it does not reveal which. */
const unknown = (field: string, lister: string) =>
  new Refusal('NOT_FOUND', {
    because: `${field} contains an id that you may not read here. Use the ids from ${lister}.`,
  })

/** What lists the ids, in the words of the caller's interface. */
export interface Listers {
  bases: string
  parts: string
}

const named = (ids: readonly string[] | undefined) => [...new Set(ids?.map((id) => id.toLowerCase()))]

/** Groups ids by their base; throws if an id belongs to none of the bases. */
async function byBase(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<{ id: string; knowledge_base_id: string }[]>,
  fault: () => Refusal,
): Promise<Map<string, string[]> | undefined> {
  if (ids.length === 0) return undefined
  const found = await find(ids)
  if (new Set(found.map(({ id }) => id)).size < ids.length) throw fault()
  const grouped = Map.groupBy(found, ({ knowledge_base_id: baseId }) => baseId)
  return new Map([...grouped].map(([baseId, rows]) => [baseId, rows.map(({ id }) => id)]))
}

/**
 * The bases that a call reads, with the groups and sources of each. Never more than without lists: ids are looked up only in the caller's
 * own bases, and all lists apply together.
 *
 * @throws Refusal NOT_FOUND for any other id
 */
export async function narrowBases<Base extends { id: string }>(
  db: AcrossBasesDb,
  bases: readonly Base[],
  asked: Narrowing,
  listers: Listers,
): Promise<NarrowedBase<Base>[]> {
  const own = bases.map(({ id }) => id)
  const baseIds = named(asked.knowledge_base_ids)
  if (!baseIds.every((id) => own.includes(id))) throw unknown('knowledge_base_ids', listers.bases)
  const [groups, sources] = await Promise.all([
    byBase(
      named(asked.group_ids),
      (ids) => findGroupsIn(db, own, ids),
      () => unknown('group_ids', listers.parts),
    ),
    byBase(
      named(asked.source_ids),
      (ids) => findSourcesIn(db, own, ids),
      () => unknown('source_ids', listers.parts),
    ),
  ])
  return bases
    .filter(({ id }) => baseIds.length === 0 || baseIds.includes(id))
    .filter(({ id }) => (groups?.has(id) ?? true) && (sources?.has(id) ?? true))
    .map((base) => ({ base, groupIds: groups?.get(base.id), sourceIds: sources?.get(base.id) }))
}
