import { oneOf, type SourcesDb } from './mcp-store.ts'

export type PortalDb = SourcesDb

/** Those of the ids that are source groups of the bases, with their base. */
export async function findGroupsIn(db: PortalDb, baseIds: readonly string[], groupIds: readonly string[]) {
  return await db
    .selectFrom('source_groups')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', oneOf(baseIds))
    .where('id', '=', oneOf(groupIds))
    .execute()
}

/** Those of the ids that are sources of the bases, with their base. */
export async function findSourcesIn(db: PortalDb, baseIds: readonly string[], sourceIds: readonly string[]) {
  return await db
    .selectFrom('sources')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', oneOf(baseIds))
    .where('id', '=', oneOf(sourceIds))
    .execute()
}
