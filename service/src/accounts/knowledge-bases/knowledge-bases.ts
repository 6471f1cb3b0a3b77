import type { OwnedCounts } from '@citewell/contract/knowledge-base-deletion'
import type { Permission } from '@citewell/contract/endpoint'
import type { AffectedByType } from '@citewell/contract/type-change'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import type { RecordLocation } from '../activity-log/activity-log.ts'
import {
  canCreateKnowledgeBase,
  canUse,
  hasScope,
  isMember,
  type Caller,
} from '../permissions/permissions.ts'
import { maxKnowledgeBases } from '../plans/plans.ts'
import { runBaseHooks, type BaseHooks, type FirstRecords } from './base-hooks.ts'
import { checkPiiMasking } from './check-pii-masking.ts'
import {
  changedKnowledgeBase,
  newKnowledgeBase,
  type KnowledgeBaseChanges,
  type NewKnowledgeBase,
} from './knowledge-base-fields.ts'
import { recordBase, recordBaseChange } from './record-base.ts'
import { findBaseLocation, findRecordLocation } from './record-locations-store.ts'
import {
  countActiveBases,
  deleteKnowledgeBase,
  findCountedKnowledgeBase,
  findKnowledgeBase,
  insertKnowledgeBase,
  listKnowledgeBases,
  lockKnowledgeBase,
  lockWorkspacePlan,
  updateKnowledgeBase,
  type CountedKnowledgeBase,
  type DocumentCount,
  type KnowledgeBaseRow,
  type StoredBase,
  type KnowledgeBasesDb,
} from './knowledge-bases-store.ts'
import type { PageRequest } from '../../kernel/paging.ts'

import { createSuspension } from './suspension.ts'
import { lockSuspension } from './suspension-store.ts'
export type { BaseHooks } from './base-hooks.ts'
export { checkPiiMasking } from './check-pii-masking.ts'
export { QUESTION_COLUMNS, type QuestionSettingsRow } from './question-columns.ts'
export { findBaseLanguage, noteFoundLanguage } from './found-language-store.ts'
export { nextTime, type Schedule } from './schedule.ts'
export { baseThatKeeps, findKnowledgeBase, lockType } from './knowledge-bases-store.ts'
export type { CountedKnowledgeBase, KnowledgeBaseRow, StoredBase } from './knowledge-bases-store.ts'

export interface KnowledgeBasesDeps {
  /** Hooks of other rooms write their tables in the transactions of a base. */
  db: WholeDb
  /** Of every room that stores something of a base. */
  hooks: readonly BaseHooks[]
  documentCount: DocumentCount
  /** Drops the index of a base that is deleted. */
  dropIndex(knowledgeBaseId: string): Promise<void>
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

export interface DeletionPreview {
  base: StoredBase
  counts: OwnedCounts
  requiresConfirmation: boolean
}

const NOTHING_OWNED: OwnedCounts = {
  sources: 0,
  documents: 0,
  conversations: 0,
  custom_answers: 0,
  client_keys: 0,
  widgets: 0,
  bots: 0,
  helpdesk_integrations: 0,
  agent_apps: 0,
  form_deflectors: 0,
  mcp_servers: 0,
}

const NONE = { count: 0, names: [] }

const NOTHING_AFFECTED: AffectedByType = {
  client_keys: NONE,
  widgets: NONE,
  mcp_servers: NONE,
  form_deflectors: NONE,
  helpdesk_integrations: NONE,
  bots: NONE,
  documents: NONE,
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })

export function createKnowledgeBases(deps: KnowledgeBasesDeps) {
  const { db, hooks, documentCount, newId, now } = deps
  const places = new Map(hooks.flatMap(({ records = [] }) => records).map((place) => [place.noun, place]))

  /**
   * The base, if the caller has this permission on it. Throws NOT_FOUND for a base of another workspace too, so that ids cannot be
   * probed, and FORBIDDEN for a member without the permission.
   */
  async function open(caller: Caller, id: string, permission: Permission): Promise<KnowledgeBaseRow> {
    const base = await findKnowledgeBase(db, id)
    if (base === undefined || !isMember(caller, base.workspace_id)) throw notFound()
    if (!canUse(caller, base, permission)) throw new Refusal('FORBIDDEN')
    return base
  }

  /** The same for changes and questions, which an archived base refuses with KNOWLEDGE_BASE_ARCHIVED. */
  async function openActive(caller: Caller, id: string, permission: Permission): Promise<KnowledgeBaseRow> {
    const base = await open(caller, id, permission)
    if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
    return base
  }

  async function get(caller: Caller, id: string): Promise<CountedKnowledgeBase> {
    return await counted(await open(caller, id, 'member'))
  }

  async function counted(base: { workspace_id: string; id: string }): Promise<CountedKnowledgeBase> {
    const of = { workspaceId: base.workspace_id, id: base.id }
    const found = await findCountedKnowledgeBase(db, documentCount, of)
    if (found === undefined) throw notFound()
    return found
  }

  async function list(
    caller: Caller,
    of: PageRequest & {
      workspaceId: string | undefined
      status: StoredBase['status'] | undefined
    },
  ): Promise<CountedKnowledgeBase[]> {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const asked = caller.workspaces.filter(({ id }) => of.workspaceId === undefined || id === of.workspaceId)
    const idsWhere = (isPlainMember: boolean) =>
      asked.filter(({ role }) => (role === 'member') === isPlainMember).map(({ id }) => id)
    return await listKnowledgeBases(db, documentCount, {
      ...of,
      workspaceIds: idsWhere(false),
      asMember: {
        workspaceIds: idsWhere(true),
        grantedIds: caller.grants?.map((grant) => grant.knowledgeBaseId) ?? [],
      },
    })
  }

  /** Creates a base, with what the hooks of other rooms create with it. Throws PROJECT_LIMIT_REACHED past the plan's limit. */
  async function create(
    caller: Caller,
    workspaceId: string | undefined,
    given: NewKnowledgeBase,
  ): Promise<{ base: CountedKnowledgeBase; extras: Partial<FirstRecords> }> {
    const workspace = workspaceFor(caller, workspaceId)
    checkPiiMasking(given.pii_masking)
    const base = newKnowledgeBase(given, { id: newId(), workspaceId: workspace, now: now() })
    const extras = await db.transaction().execute(async (transaction: WholeDb) => {
      await requirePlanCapacity(transaction, workspace)
      await insertKnowledgeBase(transaction, base)
      const event = { caller, base, newId, now: now() }
      const made = await runBaseHooks(hooks, 'onCreated', transaction, event)
      await recordBase(transaction, { caller, base, action: 'created', at: now() })
      return made
    })
    return { base: { ...base, document_count: 0 }, extras }
  }

  function workspaceFor(caller: Caller, workspaceId: string | undefined): string {
    const [only, ...others] = caller.workspaces
    const chosen = workspaceId ?? (others.length === 0 ? only?.id : undefined)
    if (chosen === undefined) {
      const message = 'is required: you are a member of several workspaces'
      throw wrongField('workspace_id', message)
    }
    if (!isMember(caller, chosen)) throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!canCreateKnowledgeBase(caller, chosen)) throw new Refusal('FORBIDDEN')
    return chosen
  }

  async function requirePlanCapacity(transaction: KnowledgeBasesDb, workspaceId: string): Promise<void> {
    const plan = await lockWorkspacePlan(transaction, workspaceId)
    const suspension = await lockSuspension(transaction, workspaceId)
    if (plan === undefined || suspension === undefined)
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (suspension.suspendedAt !== null) throw new Refusal('WORKSPACE_SUSPENDED')
    const most = maxKnowledgeBases(plan)
    if (most !== null && (await countActiveBases(transaction, workspaceId)) >= most)
      throw new Refusal('PROJECT_LIMIT_REACHED')
  }

  /** Changes the given fields. A base that becomes internal loses its client keys, and its documents become restricted, immediately. */
  async function change(
    caller: Caller,
    id: string,
    changes: KnowledgeBaseChanges,
  ): Promise<{ base: CountedKnowledgeBase; extras: Partial<FirstRecords> }> {
    const needsEditConfig = changes.type !== undefined || changes.workspace_members_can_chat !== undefined
    const { workspace_id: workspaceId } = await openActive(
      caller,
      id,
      needsEditConfig ? 'edit-config' : 'config',
    )
    checkPiiMasking(changes.pii_masking)
    const { type, extras } = await db.transaction().execute(async (transaction: WholeDb) => {
      const before = await lockKnowledgeBase(transaction, workspaceId, id)
      if (before === undefined) throw notFound()
      if (before.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
      const after = changedKnowledgeBase(before, changes, now())
      await updateKnowledgeBase(transaction, after)
      const isSame = after.type === before.type
      const event = { caller, base: after, newId, now: now() }
      const made = isSame ? {} : await runBaseHooks(hooks, 'onTypeChanged', transaction, event)
      await recordBaseChange(transaction, { caller, before, after, changes, at: now() })
      return { type: isSame ? undefined : after.type, extras: made }
    })
    if (type === 'internal') deps.events.announce('knowledge-base.closed', { knowledgeBaseId: id })
    return { base: await counted({ workspace_id: workspaceId, id }), extras }
  }

  /** Archives a base: it answers nothing, its syncs end, and it can only be read, restored or deleted. */
  async function archive(caller: Caller, id: string): Promise<CountedKnowledgeBase> {
    return await moveTo('archived', caller, id)
  }

  /** Restores an archived base. Throws PROJECT_LIMIT_REACHED if the plan's limit is reached. */
  async function restore(caller: Caller, id: string): Promise<CountedKnowledgeBase> {
    return await moveTo('active', caller, id)
  }

  async function moveTo(
    status: StoredBase['status'],
    caller: Caller,
    id: string,
  ): Promise<CountedKnowledgeBase> {
    const { workspace_id: workspaceId } = await open(caller, id, 'edit-config')
    await db.transaction().execute(async (transaction: WholeDb) => {
      // The workspace first, as creation does: another order of locks could deadlock.
      if (status === 'active') await lockWorkspacePlan(transaction, workspaceId)
      const base = await lockKnowledgeBase(transaction, workspaceId, id)
      if (base === undefined) throw notFound()
      if (base.status === status)
        throw new Refusal('CONFLICT', { because: `The knowledge base is already ${status}.` })
      if (status === 'active') await requirePlanCapacity(transaction, workspaceId)
      await updateKnowledgeBase(transaction, { ...base, status, updated_at: now() })
      if (status === 'archived') for (const hook of hooks) await hook.onArchived?.(transaction, id, now())
      const action = status === 'archived' ? 'archived' : 'restored'
      await recordBase(transaction, { caller, base, action, at: now() })
    })
    if (status === 'archived') deps.events.announce('knowledge-base.closed', { knowledgeBaseId: id })
    return await counted({ workspace_id: workspaceId, id })
  }

  async function countOwned(reader: WholeDb, base: StoredBase): Promise<DeletionPreview> {
    const counts = { ...NOTHING_OWNED }
    for (const rows of hooks.flatMap(({ owned = [] }) => owned))
      counts[rows.counts] = await rows.count(reader, base.id)
    return { base, counts, requiresConfirmation: Object.values(counts).some((count) => count > 0) }
  }

  /** What a deletion would remove. */
  async function previewDeletion(caller: Caller, id: string): Promise<DeletionPreview> {
    return await countOwned(db, await open(caller, id, 'edit-config'))
  }

  /** Deletes a base for good, with everything in it. `confirm` is its exact name, required when it is not empty. */
  async function remove(caller: Caller, id: string, confirm: string | undefined): Promise<OwnedCounts> {
    const { workspace_id: workspaceId } = await open(caller, id, 'edit-config')
    const counts = await db.transaction().execute(async (transaction: WholeDb) => {
      const base = await lockKnowledgeBase(transaction, workspaceId, id)
      if (base === undefined) throw notFound()
      const preview = await countOwned(transaction, base)
      if (preview.requiresConfirmation && confirm !== base.name) throw new Refusal('CONFIRMATION_REQUIRED')
      await deleteKnowledgeBase(transaction, workspaceId, id)
      await recordBase(transaction, { caller, base, action: 'deleted', details: preview.counts, at: now() })
      return preview.counts
    })
    deps.events.announce('knowledge-base.closed', { knowledgeBaseId: id })
    await deps.dropIndex(id)
    return counts
  }

  /** Where a base, or a record of one, belongs; undefined for a noun that stands for neither, or if there is none. */
  async function locate(noun: string, id: string): Promise<RecordLocation | undefined> {
    if (noun === 'knowledge-bases') return await findBaseLocation(db, id)
    const place = places.get(noun)
    return place === undefined ? undefined : await findRecordLocation(db, place, id)
  }

  /** What changing the type to internal would do. Of an internal base only what goes on is named. */
  async function previewInternal(
    caller: Caller,
    id: string,
  ): Promise<{ base: StoredBase; affected: AffectedByType }> {
    const base = await open(caller, id, 'edit-config')
    const affected = { ...NOTHING_AFFECTED }
    const isDone = base.type === 'internal'
    await inOneSnapshot(db, async (snapshot: WholeDb) => {
      for (const rows of hooks.flatMap(({ affectedByInternal = [] }) => affectedByInternal)) {
        if (!isDone || rows.shows === 'bots') affected[rows.shows] = await rows.name(snapshot, base.id)
      }
    })
    return { base, affected }
  }

  return {
    open,
    openActive,
    get,
    list,
    create,
    change,
    archive,
    restore,
    previewDeletion,
    previewInternal,
    remove,
    locate,
    ...createSuspension(deps),
  }
}

export type KnowledgeBases = ReturnType<typeof createKnowledgeBases>
