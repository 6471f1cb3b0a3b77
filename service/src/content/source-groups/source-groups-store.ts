import type { Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { SourceGroupsTable } from './source-groups-table.ts'
import type { Plan } from '../../accounts/plans/plans.ts'

export type SourceGroupsDb = Db<'source_groups' | 'sources' | 'workspaces'>

export type SourceGroupRow = Selectable<SourceGroupsTable>

export async function findPlan(db: SourceGroupsDb, workspaceId: string): Promise<Plan | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.plan
}

/** Those of the ids that are source groups of the base. */
export async function findGroups(
  db: Db<'source_groups'>,
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

/** Whether the base has this group, which is then kept from being deleted until the transaction ends. */
export async function lockGroup(
  transaction: Db<'source_groups'>,
  knowledgeBaseId: string,
  groupId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('source_groups')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', groupId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes a group; its sources stay, without a group. Client keys that were limited to it keep its id: an empty list would give them access
 * to every group.
 */
export async function deleteSourceGroup(
  db: SourceGroupsDb,
  of: { knowledgeBaseId: string; id: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('source_groups')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.id)
      .execute()
    await transaction
      .updateTable('sources')
      .set({ source_group_id: null, updated_at: of.now })
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('source_group_id', '=', of.id)
      .execute()
  })
}
