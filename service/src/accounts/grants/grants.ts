import { GRANTED_PERMISSIONS, type GrantedPermission } from '@citewell/contract/endpoint'
import { Refusal } from '../../kernel/refusal.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import type { BaseHooks, KnowledgeBases } from '../knowledge-bases/knowledge-bases.ts'
import { hasScope, isMember, mayAdminister, roleIn, type Caller } from '../permissions/permissions.ts'
import {
  deleteGrant,
  listGrants,
  listGrantsOfWorkspace,
  lockRole,
  putGrant,
  type GrantPosition,
  type GrantRow,
  type GrantsDb,
} from './grants-store.ts'

export type { GrantRow } from './grants-store.ts'
export { askableBases, basesOfMember, type MemberBase, type MemberBasesDb } from './member-bases-store.ts'

export interface GrantsDeps {
  db: GrantsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  now: () => Date
}

/** A member who creates a base may configure it and ask it. */
export const grantHooks: BaseHooks = {
  onCreated: async (transaction: Db<'knowledge_base_grants'>, { caller, base, now }) => {
    if (roleIn(caller, base.workspace_id) !== 'member') return {}
    const of = { workspaceId: base.workspace_id, knowledgeBaseId: base.id, userId: caller.userId }
    await putGrant(transaction, { ...of, permissions: [...GRANTED_PERMISSIONS], now })
    return {}
  },
}

/** Permissions of single members on single bases. They are read with the token of each request, and so take effect at the next one. */
export function createGrants({ db, knowledgeBases, now }: GrantsDeps) {
  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<GrantRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await listGrants(db, { ...page, knowledgeBaseId })
  }

  /** The grants on all bases of a workspace, for its owners and admins. */
  async function listOfWorkspace(
    caller: Caller,
    of: { workspaceId: string; after: GrantPosition | undefined; limit: number },
  ): Promise<GrantRow[]> {
    if (!isMember(caller, of.workspaceId))
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read') || !mayAdminister(caller, of.workspaceId))
      throw new Refusal('FORBIDDEN', { because: 'Only owners and admins see all grants of a workspace.' })
    return await listGrantsOfWorkspace(db, of)
  }

  async function openForGrants(caller: Caller, knowledgeBaseId: string) {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'edit-config')
    if (!hasScope(caller, 'admin')) throw new Refusal('FORBIDDEN')
    return base
  }

  /** Replaces a member's grant on a base. Throws NOT_FOUND for a non-member, CONFLICT for owners and admins. */
  async function put(
    caller: Caller,
    knowledgeBaseId: string,
    userId: string,
    permissions: GrantedPermission[],
  ): Promise<GrantRow> {
    const { workspace_id: workspaceId, name } = await openForGrants(caller, knowledgeBaseId)
    return await db.transaction().execute(async (transaction: GrantsDb) => {
      const role = await lockRole(transaction, { workspaceId, userId })
      if (role === undefined)
        throw new Refusal('NOT_FOUND', { because: 'There is no such member in the workspace.' })
      if (role !== 'member')
        throw new Refusal('CONFLICT', { because: 'Owners and admins may do everything without a grant.' })
      const grant = { workspaceId, knowledgeBaseId, userId, permissions, now: now() }
      const row = await putGrant(transaction, grant)
      await recordActivity(transaction, {
        workspaceId,
        knowledgeBaseId,
        actor: caller,
        action: 'member.granted',
        target: { type: 'member', id: userId },
        details: { knowledge_base: name, permissions },
        at: now(),
      })
      return row
    })
  }

  async function remove(caller: Caller, knowledgeBaseId: string, userId: string): Promise<void> {
    const { workspace_id: workspaceId, name } = await openForGrants(caller, knowledgeBaseId)
    await db.transaction().execute(async (transaction: GrantsDb) => {
      if (!(await deleteGrant(transaction, { knowledgeBaseId, userId })))
        throw new Refusal('NOT_FOUND', { because: 'There is no such grant.' })
      await recordActivity(transaction, {
        workspaceId,
        knowledgeBaseId,
        actor: caller,
        action: 'member.grant_taken_back',
        target: { type: 'member', id: userId },
        details: { knowledge_base: name },
        at: now(),
      })
    })
  }

  return { list, listOfWorkspace, put, remove }
}

export type Grants = ReturnType<typeof createGrants>
