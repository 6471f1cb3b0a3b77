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
