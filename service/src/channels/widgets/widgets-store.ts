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

/** Stores when and where a widget was last seen, unless that is as recent already. Without an id: of the oldest widget of the base. */
export async function markWidgetSeen(
  db: WidgetsDb,
  seen: { knowledgeBaseId: string; id: string | undefined; origin: string; now: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('widgets')
    .set({ last_seen_at: seen.now, last_seen_origin: seen.origin })
    .where('knowledge_base_id', '=', seen.knowledgeBaseId)
    .where(({ eb, selectFrom }) =>
      seen.id === undefined
        ? eb(
            'id',
            '=',
            selectFrom('widgets as first')
              .select('first.id')
              .where('first.knowledge_base_id', '=', seen.knowledgeBaseId)
              .orderBy('first.created_at')
              .orderBy('first.id')
              .limit(1),
          )
        : eb('id', '=', seen.id),
    )
    .where(({ eb, or }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', seen.unlessSince)]))
    .execute()
}
