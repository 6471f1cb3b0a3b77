import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { lockSource, type SourceRow, type SourcesDb } from './sources-store.ts'

/** Columns that may repeat the address of a source, as text or JSON. */
const ADDRESS_COLUMNS = [
  ['documents', 'url', 'text'],
  ['source_pages', 'url', 'text'],
  ['syncs', 'error', 'text'],
  ['sync_changes', 'url', 'text'],
  ['sync_errors', 'url', 'text'],
  ['sync_errors', 'reason', 'text'],
  ['messages', 'answer', 'text'],
  ['messages', 'citations', 'jsonb'],
  ['messages', 'trace', 'jsonb'],
  ['webhook_deliveries', 'body', 'text'],
] as const

/** Sources whose config holds a possible address with credentials, ordered by id. */
export async function listSourcesWithPossibleCredentials(
  db: SourcesDb,
  given: { after: string; limit: number },
): Promise<Pick<SourceRow, 'knowledge_base_id' | 'id'>[]> {
  return await db
    .selectFrom('sources')
    .select(['knowledge_base_id', 'id'])
    .where('type', 'in', ['repository', 'openapi', 'website', 'sitemap'])
    .where(sql<boolean>`config::text ~ '://[^"]*[@?]'`)
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(given.limit)
    .execute()
}

/** In one transaction, changes a source under its lock, and every text of its base that contains one of `replace`. */
export async function rewriteSource(
  db: SourcesDb,
  of: Pick<SourceRow, 'knowledge_base_id' | 'id'>,
  rewrite: (
    source: SourceRow,
  ) => { source: SourceRow; replace: readonly (readonly [string, string])[] } | undefined,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SourcesDb) => {
    const before = await lockSource(transaction, of.knowledge_base_id, of.id)
    const changed = before && rewrite(before)
    if (changed === undefined) return false
    const { config, sealed_credentials, updated_at } = changed.source
    await transaction
      .updateTable('sources')
      .set({ config: JSON.stringify(config), sealed_credentials, updated_at })
      .where('knowledge_base_id', '=', of.knowledge_base_id)
      .where('id', '=', of.id)
      .execute()
    for (const [from, to] of changed.replace) await replaceText(transaction, of.knowledge_base_id, from, to)
    return true
  })
}

async function replaceText(
  db: Db<'sources'>,
  knowledgeBaseId: string,
  from: string,
  to: string,
): Promise<void> {
  for (const [table, column, type] of ADDRESS_COLUMNS) {
    const value = sql.ref(column)
    await sql`update ${sql.table(table)}
      set ${value} = replace(${value}::text, ${from}::text, ${to}::text)::${sql.raw(type)}
      where knowledge_base_id = ${knowledgeBaseId} and strpos(${value}::text, ${from}::text) > 0`.execute(db)
  }
}
