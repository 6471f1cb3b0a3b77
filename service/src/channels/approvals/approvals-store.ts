import type { ApprovalsTable } from './approvals-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

/** Includes the tables of the webhooks, because a decision records its webhook event in the same transaction. */
export type ApprovalsDb = Db<
  'approvals' | 'integrations' | 'webhook_triggers' | 'webhook_deliveries' | 'knowledge_bases'
>

export type ApprovalRow = ApprovalsTable

export async function insertApproval(db: ApprovalsDb, row: ApprovalRow): Promise<void> {
  await db.insertInto('approvals').values(row).execute()
}

/** An approval by its id only: the caller must check access to its base. */
export async function findApproval(db: ApprovalsDb, id: string): Promise<ApprovalRow | undefined> {
  return await db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first; `status` is a decision, or `pending`. */
export async function listApprovals(
  db: ApprovalsDb,
  of: PageRequest & {
    knowledgeBaseId: string
    status?: 'pending' | 'approved' | 'rejected' | undefined
  },
): Promise<ApprovalRow[]> {
  const { status } = of
  return await db
    .selectFrom('approvals')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(status === 'pending', (query) => query.where('decision', 'is', null))
    .$if(status === 'approved' || status === 'rejected', (query) =>
      query.where('decision', '=', status === 'approved' ? 'approved' : 'rejected'),
    )
    .$if(of.after !== undefined, (query) => query.where('id', '<', of.after ?? ''))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

/** Decides a pending approval; undefined if it was decided concurrently. */
export async function decide(
  transaction: ApprovalsDb,
  of: { knowledgeBaseId: string; id: string },
  given: { decision: 'approved' | 'rejected'; comment: string | null; userId: string; now: Date },
): Promise<ApprovalRow | undefined> {
  return await transaction
    .updateTable('approvals')
    .set({
      decision: given.decision,
      comment: given.comment,
      decided_by: given.userId,
      decided_at: given.now,
      updated_at: given.now,
    })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .where('decision', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteApproval(db: ApprovalsDb, knowledgeBaseId: string, id: string): Promise<void> {
  await db
    .deleteFrom('approvals')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}
