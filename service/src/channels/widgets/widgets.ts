import type { NewWidget, Widget, WidgetChange } from '@citewell/contract/widgets'
import { Refusal } from '../../kernel/refusal.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { presentWidget } from './present-widget.ts'
import { insertWidget, updateWidget, type WidgetRow, type WidgetsDb } from './widgets-store.ts'
import {
  countRecords,
  deleteRecord,
  findBaseOf,
  findRecord,
  listRecords,
} from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type { WidgetRow } from './widgets-store.ts'

export interface WidgetsDeps {
  db: WidgetsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  newId: () => string
  now: () => Date
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such widget.' })

/** The initial widget of an external base, named after it. */
async function createFirstWidget(
  transaction: WidgetsDb,
  { base, newId, now }: Parameters<NonNullable<BaseHooks['onCreated']>>[1],
): Promise<{ widget: Widget }> {
  const row: WidgetRow = {
    knowledge_base_id: base.id,
    id: newId(),
    name: base.name,
    enabled: true,
    allowed_origins: [],
    config: {},
    created_at: now,
    updated_at: now,
  }
  await insertWidget(transaction, row)
  return { widget: presentWidget(row) }
}

const counted = { counts: 'widgets' as const, count: countRecords('widgets') }

/** An external base has a widget from the start, and gets one when it becomes external without any. */
export const widgetHooks: BaseHooks = {
  owned: [counted],
  onCreated: async (transaction: WidgetsDb, created) =>
    created.base.type === 'internal' ? {} : await createFirstWidget(transaction, created),
  onTypeChanged: async (transaction: WidgetsDb, changed) => {
    if (changed.base.type === 'internal') return {}
    const hasOne = (await counted.count(transaction, changed.base.id)) > 0
    return hasOne ? {} : await createFirstWidget(transaction, changed)
  },
}

/** The records of saved widgets. `public-api/widget-gate.ts` checks whether a page may use one. */
export function createWidgets({ db, knowledgeBases, newId, now }: WidgetsDeps) {
  async function baseOf(caller: Caller, widgetId: string): Promise<string> {
    const knowledgeBaseId = await findBaseOf(db, 'widgets', widgetId)
    if (knowledgeBaseId === undefined) throw notFound()
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return knowledgeBaseId
  }

  async function create(caller: Caller, knowledgeBaseId: string, given: NewWidget): Promise<WidgetRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (base.type === 'internal') {
      throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
        because: 'An internal knowledge base cannot have a website widget.',
      })
    }
    const row: WidgetRow = {
      ...given,
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      created_at: now(),
      updated_at: now(),
    }
    await insertWidget(db, row)
    return row
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<WidgetRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listRecords(db, 'widgets', { ...page, knowledgeBaseId })
  }

  async function get(caller: Caller, widgetId: string): Promise<WidgetRow> {
    const row = await findRecord(db, 'widgets', {
      knowledgeBaseId: await baseOf(caller, widgetId),
      id: widgetId,
    })
    if (row === undefined) throw notFound()
    return row
  }

  async function change(caller: Caller, widgetId: string, changes: WidgetChange): Promise<WidgetRow> {
    const knowledgeBaseId = await baseOf(caller, widgetId)
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row = await updateWidget(db, { knowledgeBaseId, widgetId, now: now() }, changes)
    if (row === undefined) throw notFound()
    return row
  }

  async function remove(caller: Caller, widgetId: string): Promise<void> {
    const knowledgeBaseId = await baseOf(caller, widgetId)
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    await deleteRecord(db, 'widgets', { knowledgeBaseId, id: widgetId })
  }

  return { create, list, get, change, remove }
}

export type Widgets = ReturnType<typeof createWidgets>
