import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { issueAccessToken } from '../access-tokens/access-tokens.ts'
import type { Role } from '../permissions/permissions.ts'

const SECOND_MS = 1_000

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

/** A member of a workspace who sends requests with their own token. */
async function join(given: { role?: Role; workspaceId?: string } = {}) {
  const caller = await api.joinWorkspace(given)
  const { token, row } = await api.accessTokens.create(caller, {
    name: 'script',
    scopes: ['admin'],
    expiresAt: undefined,
  })
  const tokensOf = (userId: string) => `/workspaces/${caller.workspaceId}/members/${userId}/access-tokens`
  return {
    ...caller,
    token,
    tokenRow: row,
    send: (method: string, path: string, body?: unknown) => api.send(method, path, body, token),
    listOf: (userId: string) => api.send('GET', tokensOf(userId), undefined, token),
    revoke: (userId: string, tokenId: string) =>
      api.send('DELETE', `${tokensOf(userId)}/${tokenId}`, undefined, token),
  }
}

/** Adds a user to one more workspace. */
async function alsoIn(userId: string, workspaceId: string, role: Role = 'member') {
  await api.db
    .insertInto('workspace_members')
    .values({
      workspace_id: workspaceId,
      user_id: userId,
      role,
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
}

verifies(
  'access-tokens.seen-by-owners',
  'an owner sees which tokens of a member reach the workspace, and never the token itself',
  async () => {
    const owner = await join()
    const bob = await join({ role: 'member', workspaceId: owner.workspaceId })
    const listed = await owner.listOf(bob.userId)
    expect(listed.body['data']).toMatchObject([
      { user_id: bob.userId, name: 'own' },
      { id: bob.tokenRow.id, name: 'script', scopes: ['admin'], expires_at: null },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(bob.token)
    expect(JSON.stringify(listed.body)).not.toContain(bob.tokenRow.token_hash)
    expect((await bob.listOf(owner.userId)).status).toBe(403)
    expect((await bob.listOf(bob.userId)).status).toBe(403)
  },
)

verifies(
  'access-tokens.revoked-by-owners',
  'a token that an owner revokes is refused at the next request, and the log names the owner',
  async () => {
    const owner = await join()
    const bob = await join({ role: 'member', workspaceId: owner.workspaceId })
    expect((await owner.revoke(bob.userId, bob.tokenRow.id)).status).toBe(204)
    expect((await bob.send('GET', '/me')).status).toBe(401)
    expect((await owner.revoke(bob.userId, bob.tokenRow.id)).status).toBe(404)
    const log = await owner.send('GET', `/workspaces/${owner.workspaceId}/activity?limit=1`)
    expect(log.body['data']).toMatchObject([
      { action: 'access_token.revoked', target: { id: bob.tokenRow.id }, details: { user_id: bob.userId } },
    ])
  },
)

verifies(
  'access-tokens.revoked-here-alone',
  'an owner ends a token’s access to their workspace, and not its access elsewhere',
  async () => {
    const [here, elsewhere] = [await join(), await join()]
    const bob = await join({ role: 'admin', workspaceId: here.workspaceId })
    await alsoIn(bob.userId, elsewhere.workspaceId)
    const made = await bob.send('POST', '/access-tokens', { name: 'before', scopes: ['read'] })
    expect((await here.revoke(bob.userId, bob.tokenRow.id)).status).toBe(204)

    const me = await bob.send('GET', '/me')
    expect(me.body['workspaces']).toMatchObject([{ id: elsewhere.workspaceId }])
    expect((await bob.send('GET', `/workspaces/${here.workspaceId}`)).status).toBe(404)
    expect((await bob.send('GET', `/workspaces/${elsewhere.workspaceId}`)).status).toBe(200)
    expect((await bob.send('GET', `/workspaces/${here.workspaceId}/members`)).status).toBe(404)
    const listed = (await here.listOf(bob.userId)).body['data'] as { id: string }[]
    expect(listed.map(({ id }) => id)).not.toContain(bob.tokenRow.id)
    expect(listed.map(({ id }) => id)).toContain(made.body['id'])
    expect((await elsewhere.listOf(bob.userId)).body['data']).toHaveLength(3)

    const again = await bob.send('POST', '/access-tokens', { name: 'way round', scopes: ['admin'] })
    const fresh = String(again.body['token'])
    expect((await api.send('GET', `/workspaces/${here.workspaceId}`, undefined, fresh)).status).toBe(404)
    expect((await api.send('GET', `/workspaces/${elsewhere.workspaceId}`, undefined, fresh)).status).toBe(200)
    expect((await elsewhere.revoke(bob.userId, bob.tokenRow.id)).status).toBe(204)
    expect((await bob.send('GET', '/me')).status).toBe(401)
  },
)

verifies(
  'access-tokens.owners-of-owners',
  'an admin neither sees nor revokes tokens of owners, and no one sees those of a person who is only invited',
  async () => {
    const owner = await join()
    const admin = await join({ role: 'admin', workspaceId: owner.workspaceId })
    expect((await admin.listOf(owner.userId)).status).toBe(403)
    expect((await admin.revoke(owner.userId, owner.tokenRow.id)).status).toBe(403)
    expect((await admin.listOf(admin.userId)).status).toBe(200)

    const stranger = await join()
    const { rows } = await api.storage.execute(`select email from users where id = '${stranger.userId}'`)
    await owner.send('POST', `/workspaces/${owner.workspaceId}/members`, { email: rows[0]?.['email'] })
    expect((await owner.listOf(stranger.userId)).status).toBe(404)
    expect((await owner.revoke(stranger.userId, stranger.tokenRow.id)).status).toBe(404)
    expect((await stranger.send('GET', '/me')).status).toBe(200)
  },
)

test("the operator's token is listed, and the owner of a workspace cannot revoke it", async () => {
  const owner = await join()
  const other = await join({ role: 'owner', workspaceId: owner.workspaceId })
  const made = { userId: other.userId, name: 'Command line', scopes: ['admin' as const], isOperator: true }
  const { row } = await issueAccessToken(api.db, {
    ...made,
    id: crypto.randomUUID(),
    expiresAt: undefined,
    now: new Date(),
  })
  expect((await owner.listOf(other.userId)).body['data']).toHaveLength(3)
  expect((await owner.revoke(other.userId, row.id)).status).toBe(403)
})

verifies('access-tokens.no-longer', 'a token cannot create a token that outlives it', async () => {
  const owner = await join()
  const end = new Date(api.clock.time.getTime() + 60 * SECOND_MS).toISOString()
  const short = await owner.send('POST', '/access-tokens', {
    name: 'a minute',
    scopes: ['admin'],
    expires_at: end,
  })
  const withIt = (expiresAt: string | null | undefined) =>
    api.send(
      'POST',
      '/access-tokens',
      { name: 'child', ...(expiresAt !== undefined && { expires_at: expiresAt }) },
      String(short.body['token']),
    )
  const later = new Date(Date.parse(end) + SECOND_MS).toISOString()
  for (const expiresAt of [undefined, null, later]) {
    expect(await withIt(expiresAt)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'expires_at', message: expect.stringContaining(end) as string }] },
    })
  }
  expect((await withIt(end)).status).toBe(201)
})
