import { createBaseRecords, createRecordBases } from '../../accounts/base-records/base-records.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { allowsSourceGroups } from '../../accounts/plans/plans.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteSourceGroup, findPlan, lockGroup, type SourceGroupsDb } from './source-groups-store.ts'

export { findGroups, type SourceGroupRow } from './source-groups-store.ts'

export const sourceGroupHooks: BaseHooks = {
  records: [{ noun: 'source-groups', table: 'source_groups', name: 'name' }],
}

/** Requires that the base has the group, and keeps it from being deleted until the transaction ends. */
export async function requireSourceGroup(
  transaction: Db<'source_groups'>,
  knowledgeBaseId: string,
  groupId: string,
): Promise<void> {
  if (await lockGroup(transaction, knowledgeBaseId, groupId)) return
  const message = 'is not a source group of this knowledge base'
  throw wrongField('source_group_id', message)
}

export interface SourceGroupsDeps {
  db: SourceGroupsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

export function createSourceGroups(deps: SourceGroupsDeps) {
  const { db, events, now } = deps
  const groups = { ...deps, table: 'source_groups', noun: 'source group' } as const
  const bases = createRecordBases(groups)

  const { list, create, change } = createBaseRecords({
    ...groups,
    /** Throws PLAN_REQUIRED below the Enterprise plan; groups created before a downgrade keep working. */
    requireAllowedIn: async (base) => {
      const plan = await findPlan(db, base.workspace_id)
      if (plan === undefined || !allowsSourceGroups(plan))
        throw new Refusal('PLAN_REQUIRED', { because: 'Source groups need the Enterprise plan.' })
    },
  })

  async function remove(caller: Caller, id: string): Promise<void> {
    const { id: knowledgeBaseId } = await bases.openActive(caller, id, 'config')
    await deleteSourceGroup(db, { knowledgeBaseId, id, now: now() })
    events.announce('content.changed', { knowledgeBaseId })
  }

  return { list, create, change, remove }
}

export type SourceGroups = ReturnType<typeof createSourceGroups>
