import type { WidgetChange } from '@citewell/contract/widgets'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { WidgetsTable } from '../../platform/storage/channels-tables.ts'

export type WidgetsDb = Db<'widgets'>

export type WidgetRow = Selectable<WidgetsTable>

export async function insertWidget(db: WidgetsDb, widget: WidgetRow): Promise<void> {
  await db
    .insertInto('widgets')
    .values({ ...widget, config: JSON.stringify(widget.config) })
    .execute()
}

/** The base that a widget belongs to, before it is known whether the caller may see it. */
export async function findBaseOfWidget(db: WidgetsDb, widgetId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('widgets')
    .select('knowledge_base_id')
    .where('id', '=', widgetId)
    .executeTakeFirst()
  return row?.knowledge_base_id
}

export async function findWidget(
  db: WidgetsDb,
  knowledgeBaseId: string,
  widgetId: string,
): Promise<WidgetRow | undefined> {
  return await db
    .selectFrom('widgets')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', widgetId)
    .executeTakeFirst()
}

export async function listWidgets(
  db: WidgetsDb,
  of: { knowledgeBaseId: string; after: string | undefined; limit: number },
): Promise<WidgetRow[]> {
  return await db
    .selectFrom('widgets')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

/** Changes what is given; `config` is merged key by key. */
export async function updateWidget(
  db: WidgetsDb,
  of: { knowledgeBaseId: string; widgetId: string; now: Date },
  changes: WidgetChange,
): Promise<WidgetRow | undefined> {
  return await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('widgets')
      .select('config')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.widgetId)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) return undefined
    const { config, ...plain } = changes
    return await transaction
      .updateTable('widgets')
      .set({ ...plain, config: JSON.stringify({ ...before.config, ...config }), updated_at: of.now })
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.widgetId)
      .returningAll()
      .executeTakeFirst()
  })
}

export async function deleteWidget(db: WidgetsDb, knowledgeBaseId: string, widgetId: string): Promise<void> {
  await db
    .deleteFrom('widgets')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', widgetId)
    .execute()
}

export async function countWidgets(db: WidgetsDb, knowledgeBaseId: string): Promise<number> {
  const row = await db
    .selectFrom('widgets')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
