import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'
import { createExternalIdentities } from '../external-identities/external-identities.ts'
import { createPasswordHasher, createPasswords } from '../passwords/passwords.ts'
import { createSessions } from './sessions.ts'

const now = () => new Date()
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }
const ISSUER = 'https://one.example'

let rooms: TestRooms
beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms[Symbol.asyncDispose]())

/** A new session of a user, for further calls of a test. */
async function signedIn(userId: string): Promise<string> {
  const id = newId()
  const times = { created_at: now(), last_seen_at: now() }
  await rooms.db
    .insertInto('browser_sessions')
    .values({ id, token_hash: newId(), user_id: userId, ...times })
    .execute()
  return id
}

/** A member with a password and a linked provider, and the rooms that manage them. */
async function open() {
  const { db } = rooms
  const owner = await rooms.joinWorkspace()
  const { userId } = await rooms.joinWorkspace()
  const workspaceId = owner.workspaces[0]?.id ?? ''
  const deps = { db, now, disconnectTools: () => Promise.resolve(0) }
  const passwords = createPasswords({ ...deps, hasher: createPasswordHasher(CHEAP) })
  const identities = createExternalIdentities(deps)
  const sessions = createSessions({ db, newId, now, onUseNotRecorded: () => {} })
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const person = { userId, email, sessionId: await signedIn(userId) }
  await passwords.change(person, 'green staircase of glass')
  await identities.link(person, { issuer: ISSUER, subject: userId, email: undefined })
  return { userId, email, person, workspaceId, passwords, identities, sessions }
}

verifies(
  'sign-in.shown-holds',
  'a sign-in does not begin a session if its password or provider is removed meanwhile',
  async () => {
    const { userId, email, person, passwords, identities, sessions } = await open()
    const shown = await passwords.personOf(email, 'green staircase of glass')
    const identity = { issuer: ISSUER, subject: userId }
    const begun = await sessions.begin(userId, { passwordHash: shown?.hash ?? '' })
    expect(await sessions.holderOf(begun)).toMatchObject({ userId })
    expect(await sessions.holderOf(await sessions.begin(userId, identity))).toMatchObject({ userId })

    await passwords.change(person, 'a blue staircase of glass')
    await expect(sessions.begin(userId, { passwordHash: shown?.hash ?? '' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await identities.unlink(userId, ISSUER)
    await expect(sessions.begin(userId, identity)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    // The session that changed the password.
    expect(await sessions.countOf(userId)).toBe(1)
  },
)

verifies(
  'sign-in.shown-holds',
  'a browser that changes the password is not signed in again if the account is recovered by a link meanwhile',
  async () => {
    const { userId, email, person, passwords, sessions } = await open()
    const operator = { userId, tokenId: null, scopes: ['admin' as const], workspaces: [], isOperator: true }
    const { code } = await passwords.makeLink(operator, email)
    const proof = await passwords.change(person, 'a stolen staircase of glass')
    await expect(passwords.setByLink(code, 'an own staircase of glass')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await sessions.holderOf(await sessions.begin(userId, proof))).toMatchObject({ userId })
    const again = await passwords.makeLink(operator, email)
    await passwords.setByLink(again.code, 'an own staircase of glass')
    await expect(sessions.begin(userId, proof)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  },
)

verifies(
  'sign-in.shown-holds',
  'of concurrent sign-ins and a new password, no session of the old password is left',
  async () => {
    const { userId, email, person, passwords, sessions } = await open()
    const { hash: passwordHash = '' } = (await passwords.personOf(email, 'green staircase of glass')) ?? {}
    const begun = Array.from({ length: 12 }, async () => await sessions.begin(userId, { passwordHash }))
    const changed = passwords.change(person, 'a blue staircase of glass')
    await Promise.allSettled([...begun, changed])
    // The session that changed the password.
    expect(await sessions.countOf(userId)).toBe(1)
  },
)

verifies(
  'sign-in.recovered',
  'a new password invalidates links for setting one, and one set by a link also unlinks providers',
  async () => {
    const { userId, email, person, passwords, identities } = await open()
    const { code } = await passwords.makeLink(await rooms.joinWorkspace(), email)
    await passwords.change(person, 'a blue staircase of glass')
    await expect(passwords.setByLink(code, 'a red staircase of glass')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await identities.listOf(userId)).toHaveLength(1)
    const again = await passwords.makeLink(await rooms.joinWorkspace(), email)
    await passwords.setByLink(again.code, 'a red staircase of glass')
    expect(await identities.listOf(userId)).toEqual([])
  },
)

verifies(
  'sign-in.taken-over',
  'linking by a verified e-mail revokes the access tokens that were created before',
  async () => {
    const { db } = rooms
    const { userId } = await rooms.joinWorkspace()
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const times = { created_at: now(), updated_at: now() }
    await db
      .insertInto('access_tokens')
      .values({
        id: newId(),
        user_id: userId,
        name: 'Invitation',
        token_hash: newId(),
        token_start: 'cw_at',
        scopes: ['read'],
        expires_at: null,
        last_used_at: null,
        ...times,
      })
      .execute()
    const identities = createExternalIdentities({ db, now, disconnectTools: () => Promise.resolve(0) })
    expect(await identities.personOf({ issuer: ISSUER, subject: userId, email })).toBe(userId)
    const left = await db.selectFrom('access_tokens').select('id').where('user_id', '=', userId).execute()
    expect(left).toEqual([])
  },
)
