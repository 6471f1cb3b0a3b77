import type { PurgedConversations } from '@citewell/contract/conversation-purge'
import { sql } from 'kysely'
import type { BaseRecords } from '../../platform/storage/base-records.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type RetentionDb = Db<'workspaces' | 'knowledge_bases'>

/** Bases whose workspace keeps conversations for a time only, with that time in days. */
export async function findBasesThatForget(
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

/** The bases of a workspace, or the one of them that is named. */
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

/** What is purged of a base: what was quiet for so many days by the database's clock, or is of a reader by any of these names. */
export type Purged = { quietDays: number } | { userRefs: readonly string[] } | 'all'

/** Records that go with time: which table, since when one of them is quiet, and whose it is where it has a reader. */
export interface KeptRecords {
  /** By this name they are counted. */
  counts: keyof PurgedConversations
  table: BaseRecords
  quietSince: 'updated_at' | 'created_at'
  reader: 'user_ref' | undefined
}

/** Deletes the first of them, with all that hangs on them, in one short statement; how many it were. */
export async function deleteKept(
  db: RetentionDb,
  { table, quietSince, reader }: KeptRecords,
  { knowledgeBaseId, which, most }: { knowledgeBaseId: string; which: Purged; most: number },
): Promise<number> {
  const since = sql.ref(quietSince)
  const isMeant =
    which === 'all'
      ? sql`true`
      : 'quietDays' in which
        ? sql`${since} < now() - make_interval(days => ${which.quietDays})`
        : reader === undefined
          ? sql`false`
          : sql`${sql.ref(reader)} = any(${[...which.userRefs]}::text[])`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)}
    where knowledge_base_id = ${knowledgeBaseId} and id in (
      select id from ${sql.table(table)} where knowledge_base_id = ${knowledgeBaseId} and ${isMeant}
      order by ${since} limit ${most})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
