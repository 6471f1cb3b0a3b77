import { Refusal } from '../../kernel/refusal.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { recordAboutPerson, recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'
import { requireOpenSession } from '../sessions/sessions.ts'
import { endAccount, type EndAccountDeps } from './end-account.ts'
import { deleteMemberships, listSoleOwned, lockWorkspacesOf, setPersonName } from './members-store.ts'

export interface OwnAccountDeps extends EndAccountDeps {
  db: WholeDb
  /** Throws UNAUTHENTICATED if the token or session of the caller was ended meanwhile. */
  requireCredential: (transaction: WholeDb, caller: Caller) => Promise<unknown>
}

const listNames = new Intl.ListFormat('en', { type: 'conjunction' })

/** The account of the caller. */
export function createOwnAccount(deps: OwnAccountDeps) {
  const { db, now, requireCredential } = deps

  /** @throws Refusal CONFLICT that names the workspaces which nobody else owns */
  async function requireOtherOwners(from: WholeDb, userId: string): Promise<void> {
    const alone = await listSoleOwned(from, userId)
    if (alone.length === 0) return
    const names = listNames.format(alone.map(({ name }) => `“${name}”`))
    throw new Refusal('CONFLICT', {
      because: `You are the only owner of ${names}. Make another person an owner there first.`,
    })
  }

  /**
   * Deletes the caller's account: they leave every workspace, and lose everything that they sign in or call with. Their name and address are
   * deleted later, as those of everybody who was removed.
   *
   * @param requirePerson throws if it is not the person who asks, but somebody with their open browser or their token
   */
  async function remove(caller: Caller, requirePerson: () => Promise<void>): Promise<void> {
    if (!hasScope(caller, 'admin')) throw new Refusal('FORBIDDEN')
    const { userId } = caller
    // First: who cannot leave is not asked for a password.
    await requireOtherOwners(db, userId)
    await requirePerson()
    await db.transaction().execute(async (transaction: WholeDb) => {
      const locked = await lockWorkspacesOf(transaction, userId)
      await lockPerson(transaction, userId)
      await requireCredential(transaction, caller)
      await requireOtherOwners(transaction, userId)
      const left = await deleteMemberships(transaction, { userId, invitedTo: locked })
      if (left.some(({ workspaceId }) => !locked.includes(workspaceId)))
        throw new Refusal('CONFLICT', { because: 'You joined a workspace at this moment. Please try again.' })
      await endAccount(transaction, userId, deps)
      // In the same order always: two transactions that each wait for the other's log would deadlock.
      for (const { workspaceId, role, status } of left.toSorted((one, other) =>
        one.workspaceId < other.workspaceId ? -1 : 1,
      )) {
        await recordActivity(transaction, {
          workspaceId,
          actor: caller,
          action: status === 'active' ? 'member.account_deleted' : 'member.invitation_taken_back',
          target: { type: 'member', id: userId },
          details: { role },
          at: now(),
        })
      }
    })
  }

  /**
   * Sets the name that others in the workspaces of a signed-in person see.
   *
   * @throws Refusal UNAUTHENTICATED if their session has ended meanwhile: the account may have been recovered by its rightful owner
   */
  async function rename(person: { userId: string; sessionId: string }, name: string): Promise<void> {
    const { userId } = person
    await db.transaction().execute(async (transaction: WholeDb) => {
      await lockPerson(transaction, userId)
      await requireOpenSession(transaction, person.sessionId)
      if (!(await setPersonName(transaction, { userId, name, now: now() }))) return
      await recordAboutPerson(transaction, userId, {
        actor: { userId, tokenId: null },
        action: 'member.name_changed',
        target: { type: 'member', id: userId },
        at: now(),
      })
    })
  }

  return { remove, rename }
}

export type OwnAccount = ReturnType<typeof createOwnAccount>
