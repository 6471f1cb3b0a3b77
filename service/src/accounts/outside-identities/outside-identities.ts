import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson } from '../activity-log/activity-log.ts'
import { findMemberByEmail, lockPerson } from '../people/people.ts'
import { deleteSessionsOf, isOpenSession } from '../sessions/sessions.ts'
import {
  deleteIdentity,
  findUserOfIdentity,
  hasWayIn,
  insertIdentity,
  listIdentitiesOf,
  type OutsideIdentitiesDb,
  type OutsideIdentityRow,
} from './outside-identities-store.ts'

export { deleteIdentitiesOf, type OutsideIdentityRow } from './outside-identities-store.ts'

/** Who somebody is at a provider. */
export interface LinkedIdentity {
  issuer: string
  subject: string
  /** Only where the provider says that it is verified. */
  email: string | undefined
}

export interface OutsideIdentitiesDeps {
  db: OutsideIdentitiesDb
  now: () => Date
  /** Ends the AI tools that somebody has connected. Returns how many there were. */
  disconnectTools: (transaction: OutsideIdentitiesDb, userId: string) => Promise<number>
}

/**
 * Links somebody to a provider, for rooms that know who it is. False where it was linked before.
 *
 * @throws Refusal CONFLICT where that account there belongs to somebody else here, or another one there is linked
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
        ? 'Another account of this provider is linked to you already. Unlink it first.'
        : 'This account of the provider is linked to another person here.',
  })
}

/** Which people are known at which providers. */
export function createOutsideIdentities({ db, now, disconnectTools }: OutsideIdentitiesDeps) {
  /**
   * Who signs in with this identity. One that nobody has linked is taken for the member with the same verified e-mail, as long as
   * that member has no other way in: whoever can verify an address at some provider must not get into an account that is in use. What
   * was made for it before ends: an invitation's link is seen by whoever invited, who may have taken an access token with it.
   *
   * @throws Refusal FORBIDDEN that says what to do instead
   */
  async function personOf(identity: LinkedIdentity): Promise<string> {
    const known = await findUserOfIdentity(db, identity)
    if (known !== undefined) return known
    const { email } = identity
    if (email === undefined) throw unknownPerson()
    return await db.transaction().execute(async (transaction: OutsideIdentitiesDb) => {
      const member = await findMemberByEmail(transaction, email, { locks: true })
      if (member === undefined) throw unknownPerson()
      if (await hasWayIn(transaction, member.id)) {
        throw new Refusal('FORBIDDEN', {
          because:
            'There is an account with your e-mail here already. Sign in as you did before, then link this provider in your account.',
        })
      }
      await deleteOrdinaryTokensOf(transaction, member.id)
      await deleteSessionsOf(transaction, member.id)
      await disconnectTools(transaction, member.id)
      await linkAndRecord(transaction, member.id, identity)
      return member.id
    })
  }

  /**
   * Links somebody who is signed in.
   *
   * @throws Refusal FORBIDDEN where their session was ended meanwhile: the account may have been given back to somebody else
   */
  async function link(
    person: { userId: string; sessionId: string },
    identity: LinkedIdentity,
  ): Promise<void> {
    await db.transaction().execute(async (transaction: OutsideIdentitiesDb) => {
      await lockPerson(transaction, person.userId)
      if (!(await isOpenSession(transaction, person.sessionId))) {
        throw new Refusal('FORBIDDEN', { because: 'You are not signed in any more as who began this.' })
      }
      await linkAndRecord(transaction, person.userId, identity)
    })
  }

  async function linkAndRecord(
    transaction: OutsideIdentitiesDb,
    userId: string,
    identity: LinkedIdentity,
  ): Promise<void> {
    const isNew = await linkIdentity(transaction, { userId, identity, now: now() })
    if (isNew) await record(transaction, userId, 'member.identity_linked', identity.issuer)
  }

  /** Who may get in as a person is in the log of their workspaces; who they are at the provider is not. */
  async function record(
    transaction: OutsideIdentitiesDb,
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
   * Takes a way to sign in away; nothing where it is not there.
   *
   * @throws Refusal CONFLICT for the only one, also where two are taken away at once
   */
  async function unlink(userId: string, issuer: string): Promise<void> {
    await db.transaction().execute(async (transaction: OutsideIdentitiesDb) => {
      await lockPerson(transaction, userId)
      if (!(await deleteIdentity(transaction, userId, issuer))) return
      if (!(await hasWayIn(transaction, userId))) {
        throw new Refusal('CONFLICT', { because: 'This is your only way to sign in. Set a password first.' })
      }
      await record(transaction, userId, 'member.identity_unlinked', issuer)
    })
  }

  return {
    personOf,
    link,
    listOf: async (userId: string): Promise<OutsideIdentityRow[]> => await listIdentitiesOf(db, userId),
    unlink,
  }
}

const unknownPerson = () =>
  new Refusal('FORBIDDEN', {
    because:
      'Nobody here has this account. Accounts are made by invitation: ask an owner or admin of your workspace for one, and open its link.',
  })

export type OutsideIdentities = ReturnType<typeof createOutsideIdentities>
