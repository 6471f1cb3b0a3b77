import type { ApprovalChange, NewApproval } from '@citewell/contract/approvals'
import type { QuestionSettingsReader } from '../../answers/question-settings/question-settings.ts'
import type { PurgeableRecords } from '../../answers/retention/retention.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { MINUTE_MS } from '../../kernel/duration.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { hasIntegration } from '../integrations/integrations.ts'
import type { PlatformPosts } from '../platform-posts/platform-posts.ts'
import { actionPost } from './action-post.ts'
import { keptBy, openTexts, storedTexts } from './approval-texts.ts'
import { requireDeclared } from './declared-actions.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import {
  decide,
  findApproval,
  forgetTexts,
  insertApproval,
  listApprovals,
  type ApprovalRow,
  type ApprovalsDb,
} from './approvals-store.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'

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
  /** Encrypts what people wrote, where it may not stay. */
  sealer: Sealer
  settings: Pick<QuestionSettingsReader, 'of'>
  newId: () => string
  now: () => Date
}

/** How long an agent may read what was decided, where it is forgotten then. */
const READ_WITHIN_MS = 15 * MINUTE_MS

/** With zero retention nothing waits longer for a decision. */
const LONGEST_WAIT_MS = 72 * 60 * MINUTE_MS

/** No action is carried out later than this after its decision. */
const CARRIED_OUT_WITHIN_MS = 48 * 60 * MINUTE_MS

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such approval.' })

/** What agents want to say or do, and the decisions of members about it. */
export function createApprovals(deps: ApprovalsDeps) {
  const { db, knowledgeBases, events, posts, sealer, settings, newId, now } = deps

  /** Until when it can be approved: it does not wait for ever where nothing is kept. */
  function expiryOf(given: string | undefined, keepsNothing: boolean): Date | null {
    const asked = given === undefined ? undefined : new Date(given)
    if (!keepsNothing) return asked ?? null
    return new Date(Math.min(asked?.getTime() ?? Infinity, now().getTime() + LONGEST_WAIT_MS))
  }

  async function create(caller: Caller, knowledgeBaseId: string, given: NewApproval): Promise<ApprovalRow> {
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const of = await settings.of(knowledgeBaseId)
    const keeps = keptBy(of)
    const { mask } = of.masking
    const written = {
      title: given.title,
      content: given.content,
      action_input: given.action?.input ?? {},
      comment: null,
      edited_content: null,
    }
    const key = given.dedupe_key ?? null
    const isKeyKept = key === null || keeps === 'all' || (keeps === 'masked' && mask(key) === key)
    const id = newId()
    const row: ApprovalRow = {
      ...storedTexts(sealer, id, written, { keeps, mask }),
      agent_id: given.agent_id,
      kind: given.kind,
      knowledge_base_id: knowledgeBaseId,
      id,
      decision: null,
      decided_by: null,
      decided_at: null,
      action_name: given.action?.name ?? null,
      // It is only compared.
      dedupe_key: isKeyKept ? key : hashSecret(key),
      expires_at: expiryOf(given.expires_at, keeps === 'nothing'),
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
        throw wrongField('agent_id', message)
      }
      if (given.action !== undefined) await requireDeclared(transaction, given.agent_id, given)
      return openTexts(sealer, await insertApproval(transaction, row))
    })
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest & { status?: 'pending' | 'approved' | 'rejected' | undefined },
  ): Promise<ApprovalRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    const rows = await listApprovals(db, { ...page, knowledgeBaseId })
    return rows.map((row) => openTexts(sealer, row))
  }

  async function get(caller: Caller, id: string): Promise<ApprovalRow> {
    const row = await findApproval(db, id)
    if (row === undefined) throw notFound()
    await knowledgeBases.open(caller, row.knowledge_base_id, 'member')
    return openTexts(sealer, row)
  }

  /** Approves or rejects, once, and notifies webhooks. @throws Refusal CONFLICT if it was decided before */
  async function resolve(
    caller: Caller,
    id: string,
    { decision, comment, content }: ApprovalChange,
  ): Promise<ApprovalRow> {
    const waiting = await get(caller, id)
    const { knowledge_base_id: knowledgeBaseId } = waiting
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const of = await settings.of(knowledgeBaseId)
    const written = { ...waiting, comment, edited_content: content ?? null }
    // As it is until it is decided: nothing else changes what was written.
    const texts = storedTexts(sealer, id, written, {
      keeps: keptBy(of, waiting.keeps),
      mask: of.masking.mask,
    })
    const at = now()
    const decided = await db.transaction().execute(async (transaction: ApprovalsDb) => {
      const given = { decision, texts, userId: caller.userId, now: at }
      const stored = await decide(transaction, { knowledgeBaseId, id }, given)
      if (stored === undefined) return undefined
      const row = openTexts(sealer, stored)
      const data = { approval_id: id, agent_id: row.agent_id, decision }
      await recordWebhookEvent(transaction, { event: 'approval.resolved', knowledgeBaseId, data, at }, newId)
      if (row.execution === 'waiting') await posts.record(transaction, [actionPost(row)])
      return row
    })
    if (decided === undefined)
      throw new Refusal('CONFLICT', { because: 'This approval has been decided already, or has expired.' })
    if (decided.execution === 'waiting') posts.wake()
    events.announce('webhooks.recorded', { knowledgeBaseId })
    return decided
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { knowledge_base_id: knowledgeBaseId } = await get(caller, id)
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    await deleteRecord(db, 'approvals', { knowledgeBaseId, id })
  }

  const forget: Job = {
    name: 'forget-approvals',
    schedule: '*/5 * * * *',
    handle: async () => {
      const time = now().getTime()
      await forgetTexts(db, {
        before: new Date(time - READ_WITHIN_MS),
        lostBefore: new Date(time - CARRIED_OUT_WITHIN_MS),
      })
    },
  }

  return { create, list, get, resolve, remove, jobs: [forget] }
}

export type Approvals = ReturnType<typeof createApprovals>
