import { sql, type Selectable } from 'kysely'
import type { StoredTexts } from './approval-texts.ts'
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
  | 'workspaces'
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

/** Decides a pending approval; undefined if it was decided concurrently, or may not be approved any more. */
export async function decide(
  transaction: ApprovalsDb,
  of: { knowledgeBaseId: string; id: string },
  given: {
    decision: 'approved' | 'rejected'
    /** With the comment, and the edited content. */
    texts: StoredTexts
    userId: string
    now: Date
  },
): Promise<ApprovalRow | undefined> {
  return await transaction
    .updateTable('approvals')
    .set({
      ...given.texts,
      action_input: JSON.stringify(given.texts.action_input),
      decision: given.decision,
      decided_by: given.userId,
      decided_at: given.now,
      updated_at: given.now,
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

/**
 * Forgets what was written in approvals that were decided and carried out, or have expired, before a time; of those that keep nothing,
 * the whole row. `lostBefore` is when an action that has no end yet was decided at the latest: it will have none.
 */
export async function forgetTexts(
  db: Db<'approvals'>,
  { before, lostBefore }: { before: Date; lostBefore: Date },
): Promise<void> {
  const isOver = sql<boolean>`sealed_texts is not null and case
    when decision is null then expires_at <= ${before}::timestamptz
    when execution = 'waiting' then decided_at <= ${lostBefore}::timestamptz
    else coalesce(executed_at, decided_at) <= ${before}::timestamptz end`
  await db.deleteFrom('approvals').where('keeps', '=', 'nothing').where(isOver).execute()
  await db
    .updateTable('approvals')
    .set({ sealed_texts: null })
    .where('keeps', '=', 'masked')
    .where(isOver)
    .execute()
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
