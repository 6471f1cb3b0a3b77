import type { PurgedConversations } from '@citewell/contract/conversation-purge'
import { sql } from 'kysely'
import type { BaseRecords } from '../../platform/storage/base-records.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type RetentionDb = Db<'workspaces' | 'knowledge_bases'>

/** Bases whose workspace has a retention period, with that period in days. */
export async function findBasesWithRetention(
  db: RetentionDb,
): Promise<{ knowledgeBaseId: string; days: number }[]> {
  const rows = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select(['knowledge_bases.id', 'workspaces.retention_days as days'])
    .where('workspaces.retention_days', 'is not', null)
    .orderBy('knowledge_bases.id')
    .execute()
  return rows.flatMap(({ id, days }) => (days === null ? [] : [{ knowledgeBaseId: id, days }]))
}

/** The bases of a workspace, or only the given one of them. */
export async function findBasesOf(
  db: RetentionDb,
  workspaceId: string,
  knowledgeBaseId: string | undefined,
): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_bases')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .$if(knowledgeBaseId !== undefined, (query) => query.where('id', '=', knowledgeBaseId ?? ''))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What to purge from a base: records inactive for so many days by the database's clock, or those of a reader by any of these names. */
export type PurgeSelection = { quietDays: number } | { userRefs: readonly string[] } | 'all'

/** A kind of record that is purged: its table, the time of its last activity, and its reader if it has one. */
export interface PurgeableRecords {
  /** The field of the result that counts them. */
  counts: keyof PurgedConversations
  table: BaseRecords
  quietSince: 'updated_at' | 'created_at'
  reader: 'user_ref' | undefined
}

/**
 * Deletes a first batch with all dependent rows in one short statement.
 *
 * @returns how many were found and how many of them deleted: others may be deleting the same ones
 */
export async function deleteBatch(
  db: RetentionDb,
  { table, quietSince, reader }: PurgeableRecords,
  { knowledgeBaseId, which, most }: { knowledgeBaseId: string; which: PurgeSelection; most: number },
): Promise<{ found: number; deleted: number }> {
  const since = sql.ref(quietSince)
  const isMeant =
    which === 'all'
      ? sql`true`
      : 'quietDays' in which
        ? sql`${since} < now() - make_interval(days => ${which.quietDays})`
        : reader === undefined
          ? sql`false`
          : sql`${sql.ref(reader)} = any(${[...which.userRefs]}::text[])`
  const { rows } = await sql<{ found: number; deleted: number }>`
    with batch as materialized (
      select id from ${sql.table(table)} where knowledge_base_id = ${knowledgeBaseId} and ${isMeant}
      order by ${since} limit ${most}
    ), deleted as (
      delete from ${sql.table(table)} where knowledge_base_id = ${knowledgeBaseId} and id in (select id from batch)
      returning id
    )
    select (select count(*) from batch)::int as found, (select count(*) from deleted)::int as deleted`.execute(
    db,
  )
  return rows[0] ?? { found: 0, deleted: 0 }
}
