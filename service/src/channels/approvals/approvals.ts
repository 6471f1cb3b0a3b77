import type { ApprovalChange, NewApproval } from '@citewell/contract/approvals'
import type { PurgeableRecords } from '../../answers/retention/retention.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { hasIntegration } from '../integrations/integrations.ts'
import type { PlatformPosts } from '../platform-posts/platform-posts.ts'
import { actionPost } from './action-post.ts'
import { requireDeclared } from './declared-actions.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import {
  decide,
  deleteApproval,
  findApproval,
  insertApproval,
  listApprovals,
  type ApprovalRow,
  type ApprovalsDb,
} from './approvals-store.ts'

export { createActionPosting } from './action-post.ts'

/** Approvals contain text of customers: they expire with the conversations of their workspace. */
export const keptApprovals: PurgeableRecords = {
  counts: 'approvals',
  table: 'approvals',
  quietSince: 'updated_at',
  reader: undefined,
}

export const approvalHooks: BaseHooks = {
  // Without their titles, which are purged: what tells where a record belongs is kept in the activity log.
  records: [{ noun: 'approvals', table: 'approvals' }],
}

export interface ApprovalsDeps {
  db: ApprovalsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  events: Pick<Events, 'announce'>
  /** What approved actions are sent with. */
  posts: Pick<PlatformPosts, 'record' | 'wake'>
  newId: () => string
  now: () => Date
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such approval.' })

/** What agents want to say or do, and the decisions of members about it. */
export function createApprovals({ db, knowledgeBases, events, posts, newId, now }: ApprovalsDeps) {
  async function create(caller: Caller, knowledgeBaseId: string, given: NewApproval): Promise<ApprovalRow> {
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row: ApprovalRow = {
      agent_id: given.agent_id,
      kind: given.kind,
      title: given.title,
      content: given.content,
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      decision: null,
      comment: null,
      decided_by: null,
      decided_at: null,
      action_name: given.action?.name ?? null,
      action_input: given.action?.input ?? {},
      edited_content: null,
      dedupe_key: given.dedupe_key ?? null,
      expires_at: given.expires_at === undefined ? null : new Date(given.expires_at),
      execution: null,
      execution_note: null,
      executed_at: null,
      created_at: now(),
      updated_at: now(),
    }
    return await db.transaction().execute(async (transaction: ApprovalsDb) => {
      const agent = { knowledgeBaseId, id: given.agent_id, kind: 'agent_app' as const }
      if (!(await hasIntegration(transaction, agent, { locks: true }))) {
        const message = 'is not an agent app of this knowledge base'
        throw new Refusal('BAD_REQUEST', { details: [{ path: 'agent_id', message }] })
      }
      if (given.action !== undefined) await requireDeclared(transaction, given.agent_id, given)
      return await insertApproval(transaction, row)
    })
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest & { status?: 'pending' | 'approved' | 'rejected' | undefined },
  ): Promise<ApprovalRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listApprovals(db, { ...page, knowledgeBaseId })
  }

  async function get(caller: Caller, id: string): Promise<ApprovalRow> {
    const row = await findApproval(db, id)
    if (row === undefined) throw notFound()
    await knowledgeBases.open(caller, row.knowledge_base_id, 'member')
    return row
  }

  /** Approves or rejects, once, and notifies webhooks. @throws Refusal CONFLICT if it was decided before */
  async function resolve(
    caller: Caller,
    id: string,
    { decision, comment, content }: ApprovalChange,
  ): Promise<ApprovalRow> {
    const { knowledge_base_id: knowledgeBaseId } = await get(caller, id)
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const at = now()
    const decided = await db.transaction().execute(async (transaction: ApprovalsDb) => {
      const of = { knowledgeBaseId, id }
      const given = { decision, comment, content, userId: caller.userId, now: at }
      const row = await decide(transaction, of, given)
      if (row === undefined) return undefined
      const data = { approval_id: id, agent_id: row.agent_id, decision }
      await recordWebhookEvent(transaction, { event: 'approval.resolved', knowledgeBaseId, data, at }, newId)
      if (row.execution === 'waiting') await posts.record(transaction, [actionPost(row)])
      return row
    })
    if (decided === undefined) {
      throw new Refusal('CONFLICT', {
        because: 'This approval has been decided already, or has expired.',
      })
    }
    if (decided.execution === 'waiting') posts.wake()
    events.announce('webhooks.recorded', { knowledgeBaseId })
    return decided
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { knowledge_base_id: knowledgeBaseId } = await get(caller, id)
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    await deleteApproval(db, knowledgeBaseId, id)
  }

  return { create, list, get, resolve, remove }
}

export type Approvals = ReturnType<typeof createApprovals>
