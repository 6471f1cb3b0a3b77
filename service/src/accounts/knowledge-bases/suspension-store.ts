import type { Plan } from '../plans/plans.ts'
import type { KnowledgeBasesDb } from './knowledge-bases-store.ts'

export interface Suspension {
  workspaceName: string
  plan: Plan
  /** Null: it is not suspended. */
  suspendedAt: Date | null
  /** The bases that the suspension archived. */
  baseIds: string[]
}

/** Whether a workspace is suspended, locked until the transaction ends. Undefined if there is no such workspace. */
export async function lockSuspension(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
): Promise<Suspension | undefined> {
  const row = await transaction
    .selectFrom('workspaces')
    .select(['name as workspaceName', 'plan', 'suspended_at as suspendedAt', 'suspended_base_ids as baseIds'])
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  return row
}

export async function setSuspension(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
  suspension: { suspendedAt: Date | null; baseIds: readonly string[]; now: Date },
): Promise<void> {
  await transaction
    .updateTable('workspaces')
    .set({
      suspended_at: suspension.suspendedAt,
      suspended_base_ids: [...suspension.baseIds],
      updated_at: suspension.now,
    })
    .where('id', '=', workspaceId)
    .execute()
}

/** The active bases of a workspace, the oldest first. */
export const listActiveBaseIds = async (transaction: KnowledgeBasesDb, workspaceId: string) =>
  await listBaseIds(transaction, workspaceId, 'active')

/** The archived bases of a workspace, the oldest first. */
export const listArchivedBaseIds = async (transaction: KnowledgeBasesDb, workspaceId: string) =>
  await listBaseIds(transaction, workspaceId, 'archived')

async function listBaseIds(
  transaction: KnowledgeBasesDb,
  workspaceId: string,
  status: 'active' | 'archived',
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('knowledge_bases')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', status)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
