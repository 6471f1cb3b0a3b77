import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson, type Actor } from '../activity-log/activity-log.ts'
import { deleteIdentitiesOf } from '../outside-identities/outside-identities.ts'
import { findMemberByEmail, lockPerson } from '../people/people.ts'
import type { Caller } from '../permissions/permissions.ts'
import { deleteSessionsOf, isOpenSession } from '../sessions/sessions.ts'
import type { PasswordHasher } from './password-hash.ts'
import { requireGoodPassword } from './password-rules.ts'
import {
  deletePasswordLinksOf,
  findPasswordLink,
  findPasswordOf,
  findPasswordOfUser,
  findStamp,
  putPassword,
  putPasswordLink,
  replaceHash,
  takePasswordLink,
  type PasswordsDb,
} from './passwords-store.ts'

export { createPasswordHasher, type PasswordHasher } from './password-hash.ts'
export { deletePasswordOf, putPassword } from './passwords-store.ts'

export interface PasswordsDeps {
  db: PasswordsDb
  now: () => Date
  hasher: PasswordHasher
  /** Ends what reads here in somebody's name, in the transaction that gives their account back to them. Returns how many there were. */
  disconnectTools: (transaction: PasswordsDb, userId: string) => Promise<number>
}

/** How long a link for setting a password works. */
const LINK_LIVES_MS = 24 * 60 * 60 * 1_000

const lapsed = () =>
  new Refusal('NOT_FOUND', { because: 'This link was used already or has expired. Ask for a new one.' })

/** The passwords of the people with an account here. */
export function createPasswords({ db, now, hasher, disconnectTools }: PasswordsDeps) {
  /** Whose e-mail and password these are, with the hash that says so. Takes the same time for an e-mail that nobody has. */
  async function personOf(
    email: string,
    password: string,
    given: { goesFirst?: boolean } = {},
  ): Promise<{ userId: string; hash: string } | undefined> {
    const known = await findPasswordOf(db, email)
    if (known === undefined) {
      await hasher.pretend(password)
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
   * What is to be stored of a new password. It takes a while: before a transaction, not in one.
   *
   * @throws Refusal BAD_REQUEST for one that is guessed first
   */
  async function hashOfNew(password: string, email: string): Promise<string> {
    requireGoodPassword(password, email)
    return await hasher.hash(password)
  }

  /** Whether this is the password of somebody; also where they have none, and none was given. */
  async function isOwn(
    userId: string,
    password: string,
    given: { goesFirst?: boolean } = {},
  ): Promise<boolean> {
    const hash = await findPasswordOfUser(db, userId)
    return hash === undefined ? password === '' : await hasher.isHashOf(hash, password, given)
  }

  /**
   * Sets the password of somebody who is signed in, and ends all of their other sessions and links for setting one; where it is asked
   * for, their access tokens too.
   *
   * @throws Refusal UNAUTHENTICATED where their session was ended meanwhile: the account may have been given back to somebody else
   */
  async function change(
    person: { userId: string; email: string; sessionId: string },
    password: string,
    given: { revokesTokens?: boolean } = {},
  ): Promise<void> {
    const hash = await hashOfNew(password, person.email)
    await db.transaction().execute(async (transaction: PasswordsDb) => {
      await lockPerson(transaction, person.userId)
      if (!(await isOpenSession(transaction, person.sessionId))) {
        throw new Refusal('UNAUTHENTICATED', { because: 'You are not signed in any more. Sign in again.' })
      }
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
  }

  /**
   * A link with which a member sets a password without the one before; links of before end. For whoever operates the instance: the
   * gate has made sure of that. The owners of the member's workspaces find it in their activity logs.
   */
  async function makeLink(
    caller: Caller,
    email: string,
  ): Promise<{ code: string; email: string; expiresAt: Date }> {
    const code = newSecret('cw_pwd_')
    const expiresAt = new Date(now().getTime() + LINK_LIVES_MS)
    const member = await findMemberByEmail(db, email)
    if (member === undefined)
      throw new Refusal('NOT_FOUND', { because: 'There is no member with this e-mail.' })
    await db.transaction().execute(async (transaction: PasswordsDb) => {
      const link = {
        code_hash: hashSecret(code),
        user_id: member.id,
        expires_at: expiresAt,
        created_at: now(),
      }
      // Of two that are made at once, one is left.
      await lockPerson(transaction, member.id)
      await putPasswordLink(transaction, link)
      await record(transaction, { actor: caller, userId: member.id }, 'member.password_link_made')
    })
    return { code, email: member.email, expiresAt }
  }

  async function record(
    transaction: PasswordsDb,
    { actor, userId }: { actor: Actor; userId: string },
    action: string,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'member', id: userId }
    await recordAboutPerson(transaction, userId, { actor, action, target, details, at: now() })
  }

  /** Whose link it is. Throws NOT_FOUND for one that was used or has expired. */
  async function openLink(code: string): Promise<{ userId: string; email: string }> {
    const found = await findPasswordLink(db, hashSecret(code), now())
    if (found === undefined) throw lapsed()
    return found
  }

  /**
   * Uses a link up: sets the password, and ends every session, access token, connected tool and linked provider of the person. Whoever
   * needs a link may have lost the account to somebody else, who could have made, connected or linked their own. Tokens of whoever
   * operates the instance stay: they come from its machine, and no account makes one. Returns who it is.
   */
  async function setByLink(code: string, password: string): Promise<string> {
    const { email } = await openLink(code)
    const hash = await hashOfNew(password, email)
    return await db.transaction().execute(async (transaction: PasswordsDb) => {
      const userId = await takePasswordLink(transaction, hashSecret(code), now())
      if (userId === undefined) throw lapsed()
      // Whoever is making a token, or changing the password, in this account at this moment comes before, or finds it ended.
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
    /** What is another one with each new password of somebody; undefined where they have none. */
    stampOf: async (userId: string): Promise<string | undefined> => await findStamp(db, { userId }),
    /** The same by e-mail, however it is typed. */
    stampOfEmail: async (email: string): Promise<string | undefined> => await findStamp(db, { email }),
    has: async (userId: string) => (await findPasswordOfUser(db, userId)) !== undefined,
  }
}

export type Passwords = ReturnType<typeof createPasswords>
