import { sql, type Selectable } from 'kysely'
import type { ApprovalsTable } from './approvals-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

/** Includes the tables of the webhooks and of posts, because a decision records its webhook event and its action in the same transaction. */
export type ApprovalsDb = Db<
  | 'approvals'
  | 'integrations'
  | 'platform_posts'
  | 'webhook_triggers'
  | 'webhook_deliveries'
  | 'knowledge_bases'
>

export type ApprovalRow = Selectable<ApprovalsTable>

/** Stores an approval, unless its agent has asked with the same key before; returns the one that there is then. */
export async function insertApproval(db: ApprovalsDb, row: ApprovalRow): Promise<ApprovalRow> {
  const inserted = await db
    .insertInto('approvals')
    .values({ ...row, action_input: JSON.stringify(row.action_input) })
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'agent_id', 'dedupe_key'])
        .where('dedupe_key', 'is not', null)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (inserted !== undefined) return inserted
  return await db
    .selectFrom('approvals')
    .selectAll()
    .where('knowledge_base_id', '=', row.knowledge_base_id)
    .where('agent_id', '=', row.agent_id)
    .where('dedupe_key', '=', row.dedupe_key)
    .executeTakeFirstOrThrow()
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
  given: {
    decision: 'approved' | 'rejected'
    comment: string | null
    content: string | undefined
    userId: string
    now: Date
  },
): Promise<ApprovalRow | undefined> {
  return await transaction
    .updateTable('approvals')
    .set({
      decision: given.decision,
      comment: given.comment,
      decided_by: given.userId,
      decided_at: given.now,
      updated_at: given.now,
      ...(given.content !== undefined && { edited_content: given.content }),
      ...(given.decision === 'approved' && {
        execution: sql<'waiting' | null>`case when action_name is null then null else 'waiting' end`,
      }),
    })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .where('decision', 'is', null)
    .$if(given.decision === 'approved', (query) =>
      query.where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', given.now)])),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Notes what became of an approved action. */
export async function noteExecution(
  transaction: Db<'approvals'>,
  of: { knowledgeBaseId: string; id: string },
  given: { execution: 'done' | 'failed' | 'unknown'; note: string | null; now: Date },
): Promise<void> {
  await transaction
    .updateTable('approvals')
    .set({
      execution: given.execution,
      execution_note: given.note,
      executed_at: given.now,
      updated_at: given.now,
    })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .where('execution', '=', 'waiting')
    .execute()
}

export async function deleteApproval(db: ApprovalsDb, knowledgeBaseId: string, id: string): Promise<void> {
  await db
    .deleteFrom('approvals')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}
