import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson, type Actor } from '../activity-log/activity-log.ts'
import { deleteIdentitiesOf } from '../external-identities/external-identities.ts'
import { findMemberByEmail, lockPerson } from '../people/people.ts'
import type { Caller } from '../permissions/permissions.ts'
import { deleteSessionsOf, requireOpenSession } from '../sessions/sessions.ts'
import type { PasswordHasher } from './password-hash.ts'
import { requireStrongPassword } from './password-rules.ts'
import {
  deletePasswordLinksOf,
  findPasswordLink,
  findPasswordOf,
  findPasswordOfUser,
  findStamp,
  putPassword,
  putPasswordLink,
  replaceHash,
  consumePasswordLink,
} from './passwords-store.ts'

export { createPasswordHasher } from './password-hash.ts'
export { requireStrongPassword } from './password-rules.ts'
export { deletePasswordOf, putPassword } from './passwords-store.ts'

export interface PasswordsDeps {
  db: WholeDb
  now: () => Date
  hasher: PasswordHasher
  /** Disconnects the tools that read on a user's behalf, in the transaction that recovers their account. Returns how many there were. */
  disconnectTools: (transaction: WholeDb, userId: string) => Promise<number>
}

/** How long a link for setting a password is valid. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000

const expired = () =>
  new Refusal('NOT_FOUND', { because: 'This link was already used or has expired. Ask for a new one.' })

/** The passwords of the users of this instance. */
export function createPasswords({ db, now, hasher, disconnectTools }: PasswordsDeps) {
  /** The user with this e-mail and password, with the matching hash. Takes the same time for an unknown e-mail. */
  async function personOf(
    email: string,
    password: string,
    given: { goesFirst?: boolean } = {},
  ): Promise<{ userId: string; hash: string } | undefined> {
    const known = await findPasswordOf(db, email)
    if (known === undefined) {
      await hasher.simulateVerification(password)
      return undefined
    }
    const { userId, hash } = known
    if (!(await hasher.isHashOf(hash, password, given))) return undefined
    if (!hasher.isOutdated(hash)) return known
    const renewed = await hasher.hash(password)
    await replaceHash(db, { userId, from: hash, to: renewed })
    return { userId, hash: renewed }
  }

  /**
   * Hashes a new password for storage. This takes a while: call it before a transaction, not within one.
   *
   * @throws Refusal BAD_REQUEST for a password that is easy to guess
   */
  async function hashOfNew(password: string, email: string): Promise<string> {
    requireStrongPassword(password, email)
    return await hasher.hash(password)
  }

  /** Whether this is the user's password; also true if they have none and the given one is empty. */
  async function isOwn(
    userId: string,
    password: string,
    given: { goesFirst?: boolean } = {},
  ): Promise<boolean> {
    const hash = await findPasswordOfUser(db, userId)
    return hash === undefined ? password === '' : await hasher.isHashOf(hash, password, given)
  }

  /**
   * Sets the password of a signed-in user, and ends all of their other sessions and their links for setting one; on request, their
   * access tokens too. Returns what proves the new password.
   *
   * @throws Refusal UNAUTHENTICATED if their session has ended meanwhile: the account may have been recovered by its rightful owner
   */
  async function change(
    person: { userId: string; email: string; sessionId: string },
    password: string,
    given: { revokesTokens?: boolean } = {},
  ): Promise<{ passwordHash: string }> {
    const hash = await hashOfNew(password, person.email)
    await db.transaction().execute(async (transaction: WholeDb) => {
      await lockPerson(transaction, person.userId)
      await requireOpenSession(transaction, person.sessionId)
      await putPassword(transaction, { userId: person.userId, hash, now: now() })
      await deletePasswordLinksOf(transaction, person.userId)
      await deleteSessionsOf(transaction, person.userId, person.sessionId)
      const { userId } = person
      const details =
        given.revokesTokens === true
          ? { tokens_revoked: await deleteOrdinaryTokensOf(transaction, userId) }
          : {}
      await record(
        transaction,
        { actor: { userId, tokenId: null }, userId },
        'member.password_changed',
        details,
      )
    })
    return { passwordHash: hash }
  }

  /**
   * A link with which a member sets a password without knowing the old one; previous links become invalid. Only for the operator: the
   * access token gate has checked that. The owners of the member's workspaces see it in their activity logs.
   */
  async function makeLink(
    caller: Caller,
    email: string,
  ): Promise<{ code: string; email: string; expiresAt: Date }> {
    const code = newSecret('cw_pwd_')
    const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS)
    const member = await findMemberByEmail(db, email)
    if (member === undefined)
      throw new Refusal('NOT_FOUND', { because: 'There is no member with this e-mail.' })
    await db.transaction().execute(async (transaction: WholeDb) => {
      const link = {
        code_hash: hashSecret(code),
        user_id: member.id,
        expires_at: expiresAt,
        created_at: now(),
      }
      // Of two links created concurrently, only one stays valid.
      await lockPerson(transaction, member.id)
      await putPasswordLink(transaction, link)
      await record(transaction, { actor: caller, userId: member.id }, 'member.password_link_made')
    })
    return { code, email: member.email, expiresAt }
  }

  async function record(
    transaction: WholeDb,
    { actor, userId }: { actor: Actor; userId: string },
    action: string,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'member', id: userId }
    await recordAboutPerson(transaction, userId, { actor, action, target, details, at: now() })
  }

  /** The user of a link. Throws NOT_FOUND for a link that was used or has expired. */
  async function openLink(code: string): Promise<{ userId: string; email: string }> {
    const found = await findPasswordLink(db, hashSecret(code), now())
    if (found === undefined) throw expired()
    return found
  }

  /**
   * Uses up a link: sets the password, and ends every session, access token, connected tool and linked provider of the user. A user who
   * needs a link may have lost the account to an attacker, who could have created, connected or linked their own. Tokens of the operator
   * stay: they come from the operator's machine, and cannot be created from an account. Returns the user's id.
   */
  async function setByLink(code: string, password: string): Promise<string> {
    const { email } = await openLink(code)
    const hash = await hashOfNew(password, email)
    return await db.transaction().execute(async (transaction: WholeDb) => {
      const userId = await consumePasswordLink(transaction, hashSecret(code), now())
      if (userId === undefined) throw expired()
      // A concurrent creation of a token or change of the password in this account runs before this, or finds its session ended.
      await lockPerson(transaction, userId)
      await putPassword(transaction, { userId, hash, now: now() })
      await deleteIdentitiesOf(transaction, userId)
      await deleteSessionsOf(transaction, userId)
      const details = {
        tools_disconnected: await disconnectTools(transaction, userId),
        tokens_revoked: await deleteOrdinaryTokensOf(transaction, userId),
      }
      await record(
        transaction,
        { actor: { system: 'password link' }, userId },
        'member.password_set',
        details,
      )
      return userId
    })
  }

  return {
    personOf,
    hashOfNew,
    isOwn,
    change,
    makeLink,
    openLink,
    setByLink,
    /** A value that changes with each new password of a user; undefined if they have none. */
    stampOf: async (userId: string): Promise<string | undefined> => await findStamp(db, { userId }),
    /** The same by e-mail, regardless of case and white space. */
    stampOfEmail: async (email: string): Promise<string | undefined> => await findStamp(db, { email }),
    has: async (userId: string) => (await findPasswordOfUser(db, userId)) !== undefined,
  }
}

export type Passwords = ReturnType<typeof createPasswords>
