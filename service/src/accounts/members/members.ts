import type { NewMember } from '@citewell/contract/members'
import type { PageRequest } from '../../kernel/paging.ts'
import { DAY_MS } from '../../kernel/duration.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import { hasScope, isMember, type Caller, type Role } from '../permissions/permissions.ts'
import { endAccount, type EndAccountDeps } from './end-account.ts'
import { newInvitationCode } from './invitations.ts'
import { requireRightOverMembers, requireRightOverRoles } from './member-rules.ts'
import {
  countOwners,
  deletePeopleWithoutWorkspace,
  deletePerson,
  findOrInsertUser,
  findPersonIn,
  isInSomeWorkspace,
  listPeople,
  lockPeople,
  updateRole,
  type MemberRow,
} from './members-store.ts'
import { putInvitation } from './invitations-store.ts'

export { createInvitations, type Invitations, type OpenInvitation } from './invitations.ts'
export { createMemberTokens, type MemberTokens } from './member-tokens.ts'
export type { MemberRow } from './members-store.ts'
export { createOwnAccount, type OwnAccount } from './own-account.ts'

export interface MembersDeps extends EndAccountDeps {
  db: WholeDb
  newId: () => string
}

/** How long a person who is in no workspace is kept, for the activity log to name them. */
const KEPT_DAYS = 30

/** Deleted in one transaction. */
const BATCH_SIZE = 200

const noMember = () => new Refusal('NOT_FOUND', { because: 'There is no such member.' })

/** The members of a workspace. Their permissions are read with each request, so that a change takes effect at the next one. */
export function createMembers(deps: MembersDeps) {
  const { db, newId, now } = deps

  async function list(caller: Caller, workspaceId: string, page: PageRequest): Promise<MemberRow[]> {
    if (!isMember(caller, workspaceId))
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    return await listPeople(db, { ...page, workspaceId })
  }

  /**
   * Invites a person. The code of the link is only in this answer; a previous invitation becomes invalid.
   *
   * @param within the transaction that it belongs to; without one, its own
   */
  async function invite(
    caller: Caller,
    workspaceId: string,
    given: NewMember,
    within?: WholeDb,
  ): Promise<{ member: MemberRow; code: string; expiresAt: Date }> {
    requireRightOverMembers(caller, workspaceId)
    requireRightOverRoles(caller, workspaceId, [given.role])
    const { code, codeHash, expiresAt } = newInvitationCode(now())
    const times = { created_at: now(), updated_at: now() }
    const putMember = async (transaction: WholeDb) => {
      const name = given.name ?? given.email.slice(0, given.email.lastIndexOf('@'))
      const user = await findOrInsertUser(transaction, { id: newId(), email: given.email, name, ...times })
      const known = await findPersonIn(transaction, { workspaceId, userId: user.id })
      if (known?.status === 'active')
        throw new Refusal('CONFLICT', { because: 'This person is already a member.' })
      if (known !== undefined) requireRightOverRoles(caller, workspaceId, [known.role])
      const of = { workspace_id: workspaceId, user_id: user.id, role: given.role, name, code_hash: codeHash }
      await putInvitation(transaction, { ...of, invited_by: caller.userId, expires_at: expiresAt, ...times })
      await record(transaction, { caller, workspaceId, userId: user.id }, 'member.invited', {
        role: given.role,
      })
      return await personIn(transaction, workspaceId, user.id)
    }
    const member = await change(workspaceId, putMember, within)
    return { member, code, expiresAt }
  }

  async function changeRole(
    caller: Caller,
    workspaceId: string,
    userId: string,
    role: Role,
  ): Promise<MemberRow> {
    requireRightOverMembers(caller, workspaceId)
    return await change(workspaceId, async (transaction) => {
      const before = await personIn(transaction, workspaceId, userId)
      requireRightOverRoles(caller, workspaceId, [before.role, role])
      if (role !== 'owner') await requireAnotherOwner(transaction, before)
      await updateRole(transaction, { workspaceId, userId, status: before.status }, { role, now: now() })
      const details = { from: before.role, to: role }
      await record(transaction, { caller, workspaceId, userId }, 'member.role_changed', details)
      return await personIn(transaction, workspaceId, userId)
    })
  }

  /** Removes a member, or withdraws an invitation. A person who is in no other workspace also loses their tokens, connected tools and sign-in methods. */
  async function remove(caller: Caller, workspaceId: string, userId: string): Promise<void> {
    requireRightOverMembers(caller, workspaceId)
    await change(workspaceId, async (transaction) => {
      const before = await personIn(transaction, workspaceId, userId)
      requireRightOverRoles(caller, workspaceId, [before.role])
      await requireAnotherOwner(transaction, before)
      // Two workspaces may remove them concurrently: exactly one of the two ends the account.
      await lockPerson(transaction, userId)
      await deletePerson(transaction, { workspaceId, userId, status: before.status })
      if (!(await isInSomeWorkspace(transaction, userId))) await endAccount(transaction, userId, deps)
      const action = before.status === 'active' ? 'member.removed' : 'member.invitation_taken_back'
      await record(transaction, { caller, workspaceId, userId }, action, { role: before.role })
    })
  }

  async function change<Changed>(
    workspaceId: string,
    act: (transaction: WholeDb) => Promise<Changed>,
    within?: WholeDb,
  ): Promise<Changed> {
    const run = async (transaction: WholeDb) => {
      if (!(await lockPeople(transaction, workspaceId))) throw noMember()
      return await act(transaction)
    }
    return within === undefined ? await db.transaction().execute(run) : await run(within)
  }

  async function personIn(transaction: WholeDb, workspaceId: string, userId: string): Promise<MemberRow> {
    const found = await findPersonIn(transaction, { workspaceId, userId })
    if (found === undefined) throw noMember()
    return found
  }

  async function requireAnotherOwner(transaction: WholeDb, person: MemberRow): Promise<void> {
    if (person.role !== 'owner' || person.status !== 'active') return
    if ((await countOwners(transaction, person.workspace_id)) > 1) return
    throw new Refusal('CONFLICT', {
      because: 'A workspace needs at least one owner. Make another member an owner first.',
    })
  }

  async function record(
    transaction: WholeDb,
    { caller, workspaceId, userId }: { caller: Caller; workspaceId: string; userId: string },
    action: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'member', id: userId }
    await recordActivity(transaction, { workspaceId, actor: caller, action, target, details, at: now() })
  }

  const forget: Job = {
    name: 'forget-people',
    schedule: '47 * * * *',
    handle: async (_data, signal) => {
      const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS)
      for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE && !signal.aborted;)
        deleted = await deletePeopleWithoutWorkspace(db, { before, most: BATCH_SIZE })
    },
  }

  return { list, invite, changeRole, remove, jobs: [forget] }
}

export type Members = ReturnType<typeof createMembers>
