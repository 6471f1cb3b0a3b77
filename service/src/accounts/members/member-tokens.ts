import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { listMemberTokens, shutOutMemberToken, type AccessTokenRow } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import type { Caller } from '../permissions/permissions.ts'
import { requireRightOverMembers, requireRightOverRoles } from './member-rules.ts'
import { findPersonIn, type MembersDb } from './members-store.ts'

/** A member of a workspace, as an owner or admin asks about them. */
interface Of {
  workspaceId: string
  userId: string
}

/** The access tokens of the members of a workspace, for its owners and admins: to see which reach it, and to end that. */
export function createMemberTokens({ db, now }: { db: MembersDb; now: () => Date }) {
  /** Somebody who is only invited may have an account elsewhere: it is none of who invited them. */
  async function requireRightOver(from: MembersDb, caller: Caller, of: Of): Promise<void> {
    requireRightOverMembers(caller, of.workspaceId)
    const person = await findPersonIn(from, of)
    if (person?.status !== 'active') throw new Refusal('NOT_FOUND', { because: 'There is no such member.' })
    requireRightOverRoles(caller, of.workspaceId, [person.role])
  }

  async function list(caller: Caller, of: Of, page: PageRequest): Promise<AccessTokenRow[]> {
    await requireRightOver(db, caller, of)
    return await listMemberTokens(db, { ...of, ...page })
  }

  /** Shuts a token out of the workspace. It is in the log of this one alone. */
  async function revoke(caller: Caller, of: Of & { tokenId: string }): Promise<void> {
    await db.transaction().execute(async (transaction: MembersDb) => {
      await requireRightOver(transaction, caller, of)
      // A token that makes another at this moment is waited for, or finds itself shut out.
      await lockPerson(transaction, of.userId)
      const { id, name, scopes } = await shutOutMemberToken(transaction, { ...of, now: now() })
      await recordActivity(transaction, {
        workspaceId: of.workspaceId,
        actor: caller,
        action: 'access_token.revoked',
        target: { type: 'access_token', id, name },
        details: { scopes, user_id: of.userId },
        at: now(),
      })
    })
  }

  return { list, revoke }
}

export type MemberTokens = ReturnType<typeof createMemberTokens>
