import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { hashSecret } from '../../kernel/secrets.ts'

let rooms: TestRooms

beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms.close())

const minutes = (count: number) => count * 60_000
const READER = { name: 'reader', scopes: ['read' as const], expiresAt: undefined }

verifies(
  ['access-tokens.form', 'access-tokens.shown-once'],
  'a token is shown once, stored as a hash, and identifies its holder',
  async () => {
    const owner = await rooms.joinWorkspace()
    const { token, row } = await rooms.accessTokens.create(owner, READER)
    expect(token).toMatch(/^cw_pat_/)
    expect(row).toMatchObject({ token_hash: hashSecret(token), token_start: token.slice(0, 11) })
    const caller = await rooms.accessTokens.authenticate(token)
    expect(caller).toEqual({
      tokenId: row.id,
      userId: owner.userId,
      scopes: ['read'],
      workspaces: [{ id: owner.workspaceId, role: 'owner' }],
      grants: [],
      isOperator: false,
    })
  },
)

verifies(
  ['access-tokens.expire', 'access-tokens.deleted-at-once'],
  'a deleted, expired, mistyped or unknown token is refused',
  async () => {
    const owner = await rooms.joinWorkspace()
    const { accessTokens, clock } = rooms
    const deleted = await accessTokens.create(owner, READER)
    await accessTokens.remove(owner, deleted.row.id)
    const expiresAt = new Date(clock.time.getTime() + minutes(5))
    const expiring = await accessTokens.create(owner, { ...READER, expiresAt })
    expect((await accessTokens.authenticate(expiring.token)).userId).toBe(owner.userId)
    clock.time = expiresAt
    const typo = deleted.token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const token of [deleted.token, expiring.token, typo, 'anything else']) {
      await expect(accessTokens.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    }
  },
)

verifies('access-tokens.last-used', 'the last use of a token is written at most once a minute', async () => {
  const { accessTokens, clock } = rooms
  const owner = await rooms.joinWorkspace()
  const { token, row } = await accessTokens.create(owner, READER)
  const lastUse = async () =>
    (await accessTokens.list(owner, { after: undefined, limit: 10 })).at(-1)?.last_used_at
  const start = clock.time
  await accessTokens.authenticate(token)
  // No request waits for this write.
  await vi.waitFor(async () => expect(await lastUse()).toEqual(start))
  clock.time = new Date(start.getTime() + minutes(0.9))
  await accessTokens.authenticate(token)
  expect(await lastUse()).toEqual(start)
  clock.time = new Date(start.getTime() + minutes(1))
  await accessTokens.authenticate(token)
  await vi.waitFor(async () => expect(await lastUse()).toEqual(clock.time))
  expect(row.last_used_at).toBeNull()
})

verifies(
  'access-tokens.make-needs-admin',
  'only a token with the scope admin creates and deletes tokens',
  async () => {
    const { accessTokens } = rooms
    const config = await rooms.joinWorkspace({ scopes: ['read', 'config'] })
    await expect(accessTokens.create(config, READER)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(accessTokens.remove(config, config.tokenId ?? '')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  },
)

verifies('access-tokens.own', 'a member cannot see or delete the tokens of other members', async () => {
  const { accessTokens } = rooms
  const owner = await rooms.joinWorkspace()
  const { row, token } = await accessTokens.create(owner, READER)
  const other = await rooms.joinWorkspace({ workspaceId: owner.workspaceId })
  expect(await accessTokens.list(other, { after: undefined, limit: 10 })).toMatchObject([
    { id: other.tokenId },
  ])
  await expect(accessTokens.remove(other, row.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await accessTokens.authenticate(token)).userId).toBe(owner.userId)
})

test('creating a token with an expiry in the past is refused', async () => {
  const owner = await rooms.joinWorkspace()
  const given = { ...READER, expiresAt: rooms.clock.time }
  await expect(rooms.accessTokens.create(owner, given)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: [{ path: 'expires_at', message: 'is in the past' }],
  })
})

test('a token that was deleted after it was checked makes no other', async () => {
  const owner = await rooms.joinWorkspace()
  const { accessTokens } = rooms
  const maker = { ...READER, scopes: ['admin' as const] }
  const { token, row } = await accessTokens.create(owner, maker)
  const caller = await accessTokens.authenticate(token)
  await accessTokens.remove(owner, row.id)
  await expect(accessTokens.create(caller, READER)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})
