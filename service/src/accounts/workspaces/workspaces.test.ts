import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { putPassword } from '../passwords/passwords.ts'
import type { SetupCodeRenewal } from './workspaces.ts'

let rooms: TestRooms

beforeAll(async () => {
  rooms = await openTestRooms()
})
beforeEach(() => rooms.empty())
afterAll(() => rooms.close())

const HOUR_MS = 60 * 60 * 1_000

verifies(
  [
    'workspaces.first-start',
    'workspaces.bootstrap-token',
    'workspaces.first-plan',
    'running.bootstrap-token',
  ],
  'a first start creates one workspace and its owner, with the configured token',
  async () => {
    const { workspaces, accessTokens } = rooms
    const bootstrapToken = 'chosen-by-the-operator'
    const { workspaceId, setupCode } = await workspaces.bootstrap({ bootstrapToken, plan: 'pro' })
    expect(setupCode).toBeUndefined()
    const caller = await accessTokens.authenticate(bootstrapToken)
    expect(caller.workspaces).toEqual([{ id: workspaceId, role: 'owner' }])
    expect((await workspaces.me(caller)).workspaces).toMatchObject([
      { id: workspaceId, plan: 'pro', role: 'owner' },
    ])

    const again = await workspaces.bootstrap({ bootstrapToken: 'another-one-of-20-characters', plan: 'free' })
    expect(again).toEqual({ workspaceId, setupCode: undefined })
    await expect(accessTokens.authenticate('another-one-of-20-characters')).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  },
)

verifies(
  'workspaces.first-start',
  'many processes that start concurrently on empty storage create one workspace',
  async () => {
    // Connections are made first, so that the starts do not queue for them.
    await Promise.all(Array.from({ length: 8 }, () => sql`select 1`.execute(rooms.db)))
    const starts = Array.from({ length: 8 }, () =>
      rooms.workspaces.bootstrap({ bootstrapToken: 'chosen-by-the-operator', plan: 'enterprise' }),
    )
    const ids = (await Promise.all(starts)).map((start) => start.workspaceId)
    expect(new Set(ids).size).toBe(1)
    expect(await rooms.db.selectFrom('workspaces').select('id').execute()).toHaveLength(1)
    expect(await rooms.db.selectFrom('users').select('id').execute()).toHaveLength(1)
    expect(await rooms.db.selectFrom('access_tokens').select('id').execute()).toHaveLength(1)
  },
)

verifies(
  ['workspaces.setup-link-once', 'running.setup-link'],
  'of many concurrent uses of a set-up code only the first gets a token',
  async () => {
    const { setupCode } = await rooms.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
    const claims = await Promise.allSettled(
      Array.from({ length: 8 }, () => rooms.workspaces.claimSetupCode(setupCode ?? '')),
    )
    const tokens = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value.token] : []))
    expect(tokens).toHaveLength(1)
    expect((await rooms.accessTokens.authenticate(tokens[0] ?? '')).scopes).toEqual([
      'read',
      'config',
      'admin',
    ])
  },
)

test('every start creates a set-up code until one was used; after that none is created, and all are invalid', async () => {
  const { workspaces, clock } = rooms
  const start = () => workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  const first = await start()
  const second = await start()
  expect(second.setupCode).not.toBe(first.setupCode)
  await expect(workspaces.claimSetupCode(first.setupCode ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await workspaces.claimSetupCode(second.setupCode ?? '')
  clock.time = new Date(clock.time.getTime() + HOUR_MS)
  expect((await start()).setupCode).toBeUndefined()
})

test('after the dashboard was opened with a set-up code, only a start at a terminal creates another, until the owner has a password', async () => {
  const { workspaces, db } = rooms
  const start = (renewsSetupCode?: SetupCodeRenewal) =>
    workspaces.bootstrap({
      bootstrapToken: undefined,
      plan: 'enterprise',
      ...(renewsSetupCode && { renewsSetupCode }),
    })
  const [first, second] = [await start(), await start()]
  expect((await start('never')).setupCode).toBeUndefined()
  const { userId } = await workspaces.openWithSetupCode(second.setupCode ?? '')
  const entries = await db.selectFrom('activity_log').select('action').execute()
  expect(entries.map(({ action }) => action)).toContain('member.signed_in')
  for (const code of [first.setupCode, second.setupCode]) {
    await expect(workspaces.openWithSetupCode(code ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(workspaces.claimSetupCode(code ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  expect((await start()).setupCode).toBeUndefined()
  expect((await start('always')).setupCode).toMatch(/^cw_set_/)
  expect((await start()).setupCode).toBeUndefined()
  await putPassword(db, { userId, hash: 'x', now: rooms.clock.time })
  expect((await start('always')).setupCode).toBeUndefined()
})

test('a set-up code expires after an hour, and the next start creates another', async () => {
  const { workspaces, clock } = rooms
  const { setupCode } = await workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  clock.time = new Date(clock.time.getTime() + HOUR_MS)
  await expect(workspaces.claimSetupCode(setupCode ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const next = await workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  expect((await workspaces.claimSetupCode(next.setupCode ?? '')).token).toMatch(/^cw_pat_/)
})

test('a bootstrap token that looks like a mistyped access token is refused at the start, not at the first request', async () => {
  const token = newSecret('cw_pat_')
  const mistyped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')
  await expect(rooms.workspaces.bootstrap({ bootstrapToken: mistyped, plan: 'free' })).rejects.toThrow('typo')
  expect(await rooms.db.selectFrom('workspaces').select('id').execute()).toHaveLength(0)
})

test('the operator token authenticates as the first owner', async () => {
  const { workspaceId } = await rooms.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  const caller = await rooms.accessTokens.authenticate(await rooms.workspaces.createOperatorToken())
  expect(caller.workspaces).toEqual([{ id: workspaceId, role: 'owner' }])
})

test('the operator token acts for an owner, after the first member is one no longer', async () => {
  const { workspaceId } = await rooms.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  rooms.clock.time = new Date(rooms.clock.time.getTime() + HOUR_MS)
  const { userId } = await rooms.joinWorkspace({ workspaceId, role: 'owner' })
  await rooms.db
    .updateTable('workspace_members')
    .set({ role: 'member' })
    .where('user_id', '<>', userId)
    .execute()
  const caller = await rooms.accessTokens.authenticate(await rooms.workspaces.createOperatorToken())
  expect(caller).toMatchObject({ userId, workspaces: [{ id: workspaceId, role: 'owner' }] })
})

test('the operator token acts for an owner of the first workspace, also if an owner of another joined earlier', async () => {
  const { workspaceId } = await rooms.workspaces.bootstrap({ bootstrapToken: undefined, plan: 'enterprise' })
  const later = () => (rooms.clock.time = new Date(rooms.clock.time.getTime() + HOUR_MS))
  later()
  const customer = await rooms.joinWorkspace()
  later()
  const { userId } = await rooms.joinWorkspace({ workspaceId, role: 'owner' })
  await rooms.db
    .updateTable('workspace_members')
    .set({ role: 'member' })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '<>', userId)
    .execute()
  const caller = await rooms.accessTokens.authenticate(await rooms.workspaces.createOperatorToken())
  expect(caller.userId).not.toBe(customer.userId)
  expect(caller).toMatchObject({ userId, workspaces: [{ id: workspaceId, role: 'owner' }] })
})
