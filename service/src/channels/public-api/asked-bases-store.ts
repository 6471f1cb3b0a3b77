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
