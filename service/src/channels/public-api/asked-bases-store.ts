import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'

export type AskedBasesDb = Db<'widgets' | 'source_groups'>

export type AskedWidget = Pick<Selectable<Tables['widgets']>, 'enabled' | 'allowed_origins' | 'config'>

export async function findAskedWidget(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  widgetId: string,
): Promise<AskedWidget | undefined> {
  return await db
    .selectFrom('widgets')
    .select(['enabled', 'allowed_origins', 'config'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', widgetId)
    .executeTakeFirst()
}

/** Those of the ids that are source groups of the base. */
export async function findGroupsOf(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  groupIds: readonly string[],
): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('source_groups')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', 'in', groupIds)
    .execute()
  return new Set(rows.map((row) => row.id))
}
