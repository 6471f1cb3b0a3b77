import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import type { Caller } from '../permissions/permissions.ts'
import { maxKnowledgeBases } from '../plans/plans.ts'
import type { BaseHooks } from './base-hooks.ts'
import {
  lockKnowledgeBase,
  updateKnowledgeBase,
  type KnowledgeBaseRow,
  type StoredBase,
} from './knowledge-bases-store.ts'
import { recordBase } from './record-base.ts'
import {
  listActiveBaseIds,
  listArchivedBaseIds,
  lockSuspension,
  setSuspension,
  type Suspension,
} from './suspension-store.ts'

export interface SuspensionDeps {
  db: WholeDb
  hooks: readonly BaseHooks[]
  events: Pick<Events, 'announce'>
  now: () => Date
}

/** Suspending a workspace archives its bases: what an archived base refuses, it then refuses on every surface. */
export function createSuspension({ db, hooks, events, now }: SuspensionDeps) {
  async function open(transaction: WholeDb, caller: Caller, workspaceId: string): Promise<Suspension> {
    if (caller.isOperator !== true) throw new Refusal('FORBIDDEN')
    const suspension = await lockSuspension(transaction, workspaceId)
    if (suspension === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    return suspension
  }

  async function record(
    transaction: WholeDb,
    of: {
      caller: Caller
      workspaceId: string
      name: string
      action: 'suspended' | 'resumed'
      bases: number
      left?: number
    },
  ): Promise<void> {
    await recordActivity(transaction, {
      workspaceId: of.workspaceId,
      actor: of.caller,
      action: `workspace.${of.action}`,
      target: { type: 'workspace', id: of.workspaceId, name: of.name },
      details: { knowledge_bases: of.bases, ...(of.left !== undefined && { left_archived: of.left }) },
      at: now(),
    })
  }

  /**
   * Moves these bases, and returns those that were not there already. The workspace is locked. All bases are locked and changed before the
   * first entry is recorded: a change of one of them waits for the log while it holds its base, and would deadlock with this.
   */
  async function move(
    transaction: WholeDb,
    of: { caller: Caller; workspaceId: string; ids: readonly string[]; status: KnowledgeBaseRow['status'] },
  ): Promise<string[]> {
    const moved: StoredBase[] = []
    for (const id of of.ids) {
      const base = await lockKnowledgeBase(transaction, of.workspaceId, id)
      if (base === undefined || base.status === of.status) continue
      await updateKnowledgeBase(transaction, { ...base, status: of.status, updated_at: now() })
      if (of.status === 'archived') for (const hook of hooks) await hook.onArchived?.(transaction, id, now())
      moved.push(base)
    }
    const action = of.status === 'archived' ? 'archived' : 'restored'
    for (const base of moved) await recordBase(transaction, { caller: of.caller, base, action, at: now() })
    return moved.map(({ id }) => id)
  }

  /** @throws Refusal FORBIDDEN for anyone but the operator, NOT_FOUND, CONFLICT if it is suspended */
  async function suspendAll(caller: Caller, workspaceId: string): Promise<void> {
    const closed = await db.transaction().execute(async (transaction: WholeDb) => {
      const { workspaceName: name, suspendedAt } = await open(transaction, caller, workspaceId)
      if (suspendedAt !== null)
        throw new Refusal('CONFLICT', { because: 'The workspace is already suspended.' })
      const ids = await listActiveBaseIds(transaction, workspaceId)
      const moved = await move(transaction, { caller, workspaceId, ids, status: 'archived' })
      await setSuspension(transaction, workspaceId, { suspendedAt: now(), baseIds: moved, now: now() })
      await record(transaction, { caller, workspaceId, name, action: 'suspended', bases: moved.length })
      return moved
    })
    for (const knowledgeBaseId of closed) events.announce('knowledge-base.closed', { knowledgeBaseId })
  }

  /**
   * Restores the bases that the suspension archived, the oldest first, as many as the plan allows now; the others stay archived.
   *
   * @throws Refusal FORBIDDEN for anyone but the operator, NOT_FOUND, CONFLICT if it is not suspended
   */
  async function resumeAll(caller: Caller, workspaceId: string): Promise<void> {
    await db.transaction().execute(async (transaction: WholeDb) => {
      const { workspaceName: name, plan, suspendedAt, baseIds } = await open(transaction, caller, workspaceId)
      if (suspendedAt === null) throw new Refusal('CONFLICT', { because: 'The workspace is not suspended.' })
      const most = maxKnowledgeBases(plan) ?? Infinity
      const room = Math.max(0, most - (await listActiveBaseIds(transaction, workspaceId)).length)
      const archived = await listArchivedBaseIds(transaction, workspaceId)
      const ids = archived.filter((id) => baseIds.includes(id))
      const restored = ids.slice(0, room)
      const moved = await move(transaction, { caller, workspaceId, ids: restored, status: 'active' })
      await setSuspension(transaction, workspaceId, { suspendedAt: null, baseIds: [], now: now() })
      await record(transaction, {
        caller,
        workspaceId,
        name,
        action: 'resumed',
        bases: moved.length,
        left: ids.length - moved.length,
      })
    })
  }

  return { suspendAll, resumeAll }
}
