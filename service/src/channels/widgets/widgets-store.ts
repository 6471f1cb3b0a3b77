import type { WidgetChange } from '@citewell/contract/widgets'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { WidgetsTable } from './widgets-table.ts'

export type WidgetsDb = Db<'widgets'>

export type WidgetRow = Selectable<WidgetsTable>

export async function insertWidget(db: WidgetsDb, widget: WidgetRow): Promise<void> {
  await db
    .insertInto('widgets')
    .values({ ...widget, config: JSON.stringify(widget.config) })
    .execute()
}

/** Changes the given fields; `config` is merged key by key. */
export async function updateWidget(
  db: WidgetsDb,
  of: { knowledgeBaseId: string; id: string; now: Date },
  changes: WidgetChange,
): Promise<WidgetRow | undefined> {
  return await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('widgets')
      .select('config')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.id)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) return undefined
    const { config, ...plain } = changes
    return await transaction
      .updateTable('widgets')
      .set({ ...plain, config: JSON.stringify({ ...before.config, ...config }), updated_at: of.now })
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.id)
      .returningAll()
      .executeTakeFirst()
  })
}
