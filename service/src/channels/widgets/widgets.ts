import type { NewWidget, Widget } from '@citewell/contract/widgets'
import { createBaseRecords } from '../../accounts/base-records/base-records.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { countRecords, nameRecords } from '../../platform/storage/base-records.ts'
import { presentWidget } from './present-widget.ts'
import {
  insertWidget,
  markWidgetSeen,
  updateWidget,
  type WidgetRow,
  type WidgetsDb,
} from './widgets-store.ts'

export interface WidgetsDeps {
  db: WidgetsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  newId: () => string
  now: () => Date
}

/** How exactly the time is kept: a page that is opened often writes no more often. */
const SEEN_EVERY_MS = 60_000

const NEVER_SEEN = { last_seen_at: null, last_seen_origin: null }

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
    ...NEVER_SEEN,
    created_at: now,
    updated_at: now,
  }
  await insertWidget(transaction, row)
  return { widget: presentWidget(row) }
}

const counted = { counts: 'widgets' as const, count: countRecords('widgets') }

/** An external base has a widget from the start, and gets one when it becomes external without any. */
export const widgetHooks: BaseHooks = {
  records: [{ noun: 'widgets', table: 'widgets', name: 'name' }],
  owned: [counted],
  affectedByInternal: [
    { shows: 'widgets', name: nameRecords('widgets', { name: 'name', where: { enabled: ['true'] } }) },
  ],
  onCreated: async (transaction: WidgetsDb, created) =>
    created.base.type === 'internal' ? {} : await createFirstWidget(transaction, created),
  onTypeChanged: async (transaction: WidgetsDb, changed) => {
    if (changed.base.type === 'internal') return {}
    const hasOne = (await counted.count(transaction, changed.base.id)) > 0
    return hasOne ? {} : await createFirstWidget(transaction, changed)
  },
}

/** The records of saved widgets. `public-api/widget-gate.ts` checks whether a page may use one. */
export function createWidgets(deps: WidgetsDeps) {
  const records = createBaseRecords({
    ...deps,
    table: 'widgets',
    noun: 'widget',
    requireAllowedIn: (base) => {
      if (base.type === 'external') return
      throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
        because: 'An internal knowledge base cannot have a website widget.',
      })
    },
    insert: (row) => insertWidget(deps.db, row),
    update: (of, changes) => updateWidget(deps.db, of, changes),
  })

  /**
   * Remembers that a page showed a widget: the one that it names, else the first of the base.
   *
   * @param seen.origin of the page, as its browser sent it
   */
  async function markSeen(seen: { knowledgeBaseId: string; id: string | undefined; origin: string }) {
    const now = deps.now()
    await markWidgetSeen(deps.db, { ...seen, now, unlessSince: new Date(now.getTime() - SEEN_EVERY_MS) })
  }

  return {
    ...records,
    create: async (caller: Caller, knowledgeBaseId: string, given: NewWidget) =>
      await records.create(caller, knowledgeBaseId, { ...given, ...NEVER_SEEN }),
    markSeen,
  }
}

export type Widgets = ReturnType<typeof createWidgets>
