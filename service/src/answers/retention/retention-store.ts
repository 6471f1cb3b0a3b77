import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type RetentionDb = Db<'workspaces' | 'knowledge_bases' | 'threads'>

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

/** Which threads of a base: quiet for so many days by the database's clock, or of a reader by any of these names. */
export type PurgedThreads = { quietDays: number } | { userRefs: readonly string[] } | 'all'

/** Deletes the first of them, with all that hangs on them, in one short statement; how many it were. */
export async function deleteThreads(
  db: RetentionDb,
  knowledgeBaseId: string,
  which: PurgedThreads,
  most: number,
): Promise<number> {
  const result = await db
    .deleteFrom('threads')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', 'in', (inner) => {
      const found = inner
        .selectFrom('threads')
        .select('id')
        .where('knowledge_base_id', '=', knowledgeBaseId)
        .orderBy('updated_at')
        .limit(most)
      if (which === 'all') return found
      return 'userRefs' in which
        ? found.where('user_ref', 'in', [...which.userRefs])
        : found.where('updated_at', '<', sql<Date>`now() - make_interval(days => ${which.quietDays})`)
    })
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
