import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { listMemberTokens, excludeMemberToken, type AccessTokenRow } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import type { Caller } from '../permissions/permissions.ts'
import { requireRightOverMembers, requireRightOverRoles } from './member-rules.ts'
import { findPersonIn } from './members-store.ts'

/** A member of a workspace, as an owner or admin names them in a request. */
export interface TokenHolder {
  workspaceId: string
  userId: string
}

/** The access tokens of the members of a workspace, for its owners and admins: to see which reach it, and to revoke that access. */
export function createMemberTokens({ db, now }: { db: WholeDb; now: () => Date }) {
  /** A person who is only invited may have an account elsewhere, which is not the inviter's business. */
  async function requireRightOver(from: WholeDb, caller: Caller, of: TokenHolder): Promise<void> {
    requireRightOverMembers(caller, of.workspaceId)
    const person = await findPersonIn(from, of)
    if (person?.status !== 'active') throw new Refusal('NOT_FOUND', { because: 'There is no such member.' })
    requireRightOverRoles(caller, of.workspaceId, [person.role])
  }

  async function list(caller: Caller, of: TokenHolder, page: PageRequest): Promise<AccessTokenRow[]> {
    await requireRightOver(db, caller, of)
    return await listMemberTokens(db, { ...of, ...page })
  }

  /** Excludes a token from the workspace. It is recorded only in the log of this workspace. */
  async function revoke(caller: Caller, of: TokenHolder & { tokenId: string }): Promise<void> {
    await db.transaction().execute(async (transaction: WholeDb) => {
      await requireRightOver(transaction, caller, of)
      // A concurrent creation of another token with this one either finishes first or finds the token excluded.
      await lockPerson(transaction, of.userId)
      const { id, name, scopes } = await excludeMemberToken(transaction, { ...of, now: now() })
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
