import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type PortalDb = Db<'sources' | 'source_groups' | 'documents'>

const among = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

/** Those of the ids that are source groups of the bases, with their base. */
export async function findGroupsIn(db: PortalDb, baseIds: readonly string[], groupIds: readonly string[]) {
  return await db
    .selectFrom('source_groups')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', among(baseIds))
    .where('id', '=', among(groupIds))
    .execute()
}

/** Those of the ids that are sources of the bases, with their base. */
export async function findSourcesIn(db: PortalDb, baseIds: readonly string[], sourceIds: readonly string[]) {
  return await db
    .selectFrom('sources')
    .select(['id', 'knowledge_base_id'])
    .where('knowledge_base_id', '=', among(baseIds))
    .where('id', '=', among(sourceIds))
    .execute()
}

/** Sources of the bases that have pages, by name, each with their number and its group. */
export async function listSourcesIn(db: PortalDb, baseIds: readonly string[]) {
  return await db
    .selectFrom('sources')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .onRef('documents.source_id', '=', 'sources.id')
        .on('documents.live_version', 'is not', null),
    )
    .leftJoin('source_groups', (join) =>
      join
        .onRef('source_groups.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .onRef('source_groups.id', '=', 'sources.source_group_id'),
    )
    .select((row) => [
      'sources.knowledge_base_id',
      'sources.id',
      'sources.name',
      'sources.type',
      'sources.version_label',
      'source_groups.id as group_id',
      'source_groups.name as group_name',
      row.fn.countAll<string>().as('document_count'),
    ])
    .where('sources.knowledge_base_id', '=', among(baseIds))
    .groupBy([
      'sources.knowledge_base_id',
      'sources.id',
      'source_groups.knowledge_base_id',
      'source_groups.id',
    ])
    .orderBy('sources.name')
    .orderBy('sources.id')
    .execute()
}
