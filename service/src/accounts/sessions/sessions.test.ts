import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'

const ISSUER = 'https://one.example'

let rooms: TestRooms
beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms[Symbol.asyncDispose]())

/** A new member without a way to sign in. */
async function join() {
  const { userId } = await rooms.joinWorkspace()
  const { email } = await rooms.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { userId, email }
}

/** A member with a password and a linked provider, who is signed in, and the rooms that manage them. */
async function open() {
  const { passwords, sessions, externalIdentities: identities } = rooms
  const { userId, email } = await join()
  const session = await sessions.holderOf(await sessions.begin(userId))
  const person = { userId, email, sessionId: session?.sessionId ?? '' }
  await passwords.change(person, 'green staircase of glass')
  await identities.link(person, { issuer: ISSUER, subject: userId, email: undefined })
  return { userId, email, person, passwords, identities, sessions }
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
  'linking by a verified e-mail ends the access tokens, sessions and connected tools that were there before',
  async () => {
    const { db, sessions, externalIdentities: identities } = rooms
    const { userId, email } = await join()
    const begun = await sessions.begin(userId)
    const tool = {
      server_id: newId(),
      client_name: 'Tool',
      redirect_host: 'tool.example',
      resource: 'https://a.example',
    }
    await db
      .insertInto('connected_tools')
      .values({ ...tool, account_id: `user:${userId}`, grant_hash: newId(), last_used_at: null })
      .execute()
    const left = async () => [
      await db.selectFrom('access_tokens').select('user_id').where('user_id', '=', userId).execute(),
      await db
        .selectFrom('connected_tools')
        .select('client_name')
        .where('account_id', '=', `user:${userId}`)
        .execute(),
      await sessions.holderOf(begun),
    ]
    expect(await left()).toEqual([
      [{ user_id: userId }],
      [{ client_name: 'Tool' }],
      expect.objectContaining({ userId }),
    ])

    expect(await identities.personOf({ issuer: ISSUER, subject: userId, email })).toBe(userId)
    expect(await left()).toEqual([[], [], undefined])
  },
)
