import { Refusal } from '../../kernel/refusal.ts'
import type { Db, WholeDb } from '../../platform/storage/tables.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson } from '../activity-log/activity-log.ts'
import { findMemberByEmail, lockPerson } from '../people/people.ts'
import { deleteSessionsOf, isOpenSession } from '../sessions/sessions.ts'
import {
  deleteIdentity,
  findUserOfIdentity,
  hasSignInMethod,
  insertIdentity,
  listIdentitiesOf,
  type ExternalIdentityRow,
} from './external-identities-store.ts'

export { deleteIdentitiesOf, hasSignInMethod } from './external-identities-store.ts'

/** An account at an identity provider. */
export interface LinkedIdentity {
  issuer: string
  subject: string
  /** Only if the provider marks it as verified. */
  email: string | undefined
}

export interface ExternalIdentitiesDeps {
  db: WholeDb
  now: () => Date
  /** Disconnects a user's AI tools. Returns how many there were. */
  disconnectTools: (transaction: WholeDb, userId: string) => Promise<number>
}

/**
 * Links a user to a provider; for rooms that have already established who the user is. False if it was already linked.
 *
 * @throws Refusal CONFLICT if that account is linked to another user, or this user has another account of that provider linked
 */
export async function linkIdentity(
  transaction: Db<'outside_identities'>,
  { userId, identity, now }: { userId: string; identity: LinkedIdentity; now: Date },
): Promise<boolean> {
  const { issuer, subject, email } = identity
  const row = { issuer, subject, user_id: userId, email: email ?? null, created_at: now }
  if (await insertIdentity(transaction, row)) return true
  const holder = await findUserOfIdentity(transaction, identity)
  if (holder === userId) return false
  throw new Refusal('CONFLICT', {
    because:
      holder === undefined
        ? 'Another account of this provider is already linked to yours. Unlink it first.'
        : 'This account of the provider is linked to another account here.',
  })
}

/** Links between users and their accounts at identity providers. */
export function createExternalIdentities({ db, now, disconnectTools }: ExternalIdentitiesDeps) {
  /**
   * The user who signs in with this identity. An identity that is not linked yet is matched to the member with the same verified
   * e-mail, but only if that member has no other sign-in method: control of an address at some provider must not give access to an
   * account that is in use. Tokens, sessions and connected tools of that member end: the inviter also sees the link of an invitation,
   * and may have created an access token with it.
   *
   * @throws Refusal FORBIDDEN with a message that says what to do instead
   */
  async function personOf(identity: LinkedIdentity): Promise<string> {
    const known = await findUserOfIdentity(db, identity)
    if (known !== undefined) return known
    const { email } = identity
    if (email === undefined) throw unknownPerson()
    return await db.transaction().execute(async (transaction: WholeDb) => {
      const member = await findMemberByEmail(transaction, email, { locks: true })
      if (member === undefined) throw unknownPerson()
      if (await hasSignInMethod(transaction, member.id))
        throw new Refusal('FORBIDDEN', {
          because:
            'An account with your e-mail already exists here. Sign in to it as before, then link this provider on your account page.',
        })
      await deleteOrdinaryTokensOf(transaction, member.id)
      await deleteSessionsOf(transaction, member.id)
      await disconnectTools(transaction, member.id)
      await linkAndRecord(transaction, member.id, identity)
      return member.id
    })
  }

  /**
   * Links an identity to a signed-in user.
   *
   * @throws Refusal FORBIDDEN if their session has ended meanwhile: the account may have been recovered by its rightful owner
   */
  async function link(
    person: { userId: string; sessionId: string },
    identity: LinkedIdentity,
  ): Promise<void> {
    await db.transaction().execute(async (transaction: WholeDb) => {
      await lockPerson(transaction, person.userId)
      if (!(await isOpenSession(transaction, person.sessionId)))
        throw new Refusal('FORBIDDEN', {
          because: 'The session in which you started this has ended. Sign in and try again.',
        })
      await linkAndRecord(transaction, person.userId, identity)
    })
  }

  async function linkAndRecord(
    transaction: WholeDb,
    userId: string,
    identity: LinkedIdentity,
  ): Promise<void> {
    const isNew = await linkIdentity(transaction, { userId, identity, now: now() })
    if (isNew) await record(transaction, userId, 'member.identity_linked', identity.issuer)
  }

  /** The log of each workspace records who can sign in as a member, but not who they are at the provider. */
  async function record(
    transaction: WholeDb,
    userId: string,
    action: 'member.identity_linked' | 'member.identity_unlinked',
    issuer: string,
  ): Promise<void> {
    const [actor, target] = [
      { userId, tokenId: null },
      { type: 'member', id: userId },
    ]
    await recordAboutPerson(transaction, userId, { actor, action, target, details: { issuer }, at: now() })
  }

  /**
   * Unlinks a provider; does nothing if it is not linked.
   *
   * @throws Refusal CONFLICT for the only sign-in method, also if two are removed concurrently
   */
  async function unlink(userId: string, issuer: string): Promise<void> {
    await db.transaction().execute(async (transaction: WholeDb) => {
      await lockPerson(transaction, userId)
      if (!(await deleteIdentity(transaction, userId, issuer))) return
      if (!(await hasSignInMethod(transaction, userId)))
        throw new Refusal('CONFLICT', { because: 'This is your only way to sign in. Set a password first.' })
      await record(transaction, userId, 'member.identity_unlinked', issuer)
    })
  }

  return {
    personOf,
    link,
    listOf: async (userId: string): Promise<ExternalIdentityRow[]> => await listIdentitiesOf(db, userId),
    unlink,
  }
}

const unknownPerson = () =>
  new Refusal('FORBIDDEN', {
    because:
      'There is no account here for this sign-in. Accounts are created by invitation: ask an owner or admin of your workspace for one, and open its link.',
  })

export type ExternalIdentities = ReturnType<typeof createExternalIdentities>
