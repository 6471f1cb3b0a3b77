import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type AcrossBasesDb = Db<'sources' | 'source_groups'>

const oneOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

/** Those of the ids that are source groups of the bases, with their base. */
export async function findGroupsIn(
  db: AcrossBasesDb,
  baseIds: readonly string[],
  groupIds: readonly string[],
) {
  return await db
    .selectFrom('source_groups')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', oneOf(baseIds))
    .where('id', '=', oneOf(groupIds))
    .execute()
}

/** Those of the ids that are sources of the bases, with their base. */
export async function findSourcesIn(
  db: AcrossBasesDb,
  baseIds: readonly string[],
  sourceIds: readonly string[],
) {
  return await db
    .selectFrom('sources')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', oneOf(baseIds))
    .where('id', '=', oneOf(sourceIds))
    .execute()
}
