import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestAnswer, type TestManagement } from '../../../test/test-management.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Role } from '../permissions/permissions.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

interface Member {
  id: string
  email: string
  role: Role
  status: string
}

/** A member of a workspace who sends requests. */
async function join(given: { role?: Role; workspaceId?: string } = {}) {
  const caller = await api.joinWorkspace(given)
  const everything = { name: 'all', scopes: ['admin' as const], expiresAt: undefined }
  const { token } = await api.accessTokens.create(caller, everything)
  const members = `/workspaces/${caller.workspaceId}/members`
  return {
    ...caller,
    token,
    send: (method: string, path: string, body?: unknown) => api.send(method, path, body, token),
    list: async () => (await api.send('GET', members, undefined, token)).body['data'] as Member[],
    invite: (email: string, role?: Role, name?: string) =>
      api.send(
        'POST',
        members,
        { email, ...(role !== undefined && { role }), ...(name !== undefined && { name }) },
        token,
      ),
    changeRole: (userId: string, role: Role) => api.send('PATCH', `${members}/${userId}`, { role }, token),
    remove: (userId: string) => api.send('DELETE', `${members}/${userId}`, undefined, token),
  }
}

const codeOf = (invited: TestAnswer) =>
  (invited.body['invitation'] as { url: string }).url.replace(
    'https://answers.example.com/invitation?code=',
    '',
  )

const claim = (invited: TestAnswer, ownToken?: string) =>
  api.invitations.claim({ code: codeOf(invited), ...(ownToken !== undefined && { proof: { ownToken } }) })

verifies(
  ['members.invite', 'members.list', 'members.roles'],
  'an admin invites a person, whose link is stored as a hash; until it is used they are listed as invited',
  async () => {
    const owner = await join()
    const admin = await join({ role: 'admin', workspaceId: owner.workspaceId })
    const invited = await admin.invite(' Grace@Example.com ', 'member', 'Grace')

    expect(invited).toMatchObject({
      status: 201,
      body: {
        email: 'Grace@Example.com',
        name: 'Grace',
        role: 'member',
        status: 'invited',
        workspace_id: owner.workspaceId,
      },
    })
    expect(codeOf(invited)).toMatch(/^cw_inv_/)
    const { rows } = await sql<{ code_hash: string }>`select code_hash from invitations`.execute(api.db)
    expect(rows).toEqual([{ code_hash: hashSecret(codeOf(invited)) }])
    const listed = await owner.list()
    expect(listed.map(({ role, status }) => `${role} ${status}`).toSorted()).toEqual([
      'admin active',
      'member invited',
      'owner active',
    ])
    expect(JSON.stringify(listed)).not.toContain(codeOf(invited))
    expect((await admin.invite('nobody@')).status).toBe(400)
    expect((await admin.invite('x@example.com', 'boss' as Role)).status).toBe(400)
    const member = await join({ role: 'member', workspaceId: owner.workspaceId })
    expect((await member.list()).length).toBe(4)
    expect((await member.invite('x@example.com')).status).toBe(403)
  },
)

test('a workspace knows a person by the name it gave until they join, and then by the one they joined with', async () => {
  const [here, elsewhere] = [await join(), await join()]
  await elsewhere.invite('carol@example.com', 'member', 'Carol Quill (on leave)')
  const invited = await here.invite('carol@example.com', 'member', 'Carol')
  expect(invited.body).toMatchObject({ email: 'carol@example.com', name: 'Carol' })
  const again = await here.invite('carol@example.com', 'member', 'C. Quill')
  expect(await here.list()).toContainEqual(expect.objectContaining({ name: 'C. Quill', status: 'invited' }))
  expect((await here.invite('carol@example.com')).body).toMatchObject({ name: 'carol' })
  const last = await here.invite('carol@example.com', 'member', 'C. Quill')
  await expect(claim(again)).rejects.toThrow('already used')
  await claim(last)
  expect(await here.list()).toContainEqual(expect.objectContaining({ name: 'C. Quill', status: 'active' }))
  expect(await elsewhere.list()).toContainEqual(
    expect.objectContaining({ name: 'Carol Quill (on leave)', status: 'invited' }),
  )
})

verifies(
  'members.claim-once',
  'of twenty concurrent uses of an invitation one becomes the member, with a token that has the scopes of the role',
  async () => {
    const owner = await join()
    const invited = await owner.invite('once@example.com', 'admin')
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claim(invited)))
    const tokens = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token ?? ''] : []))

    expect(tokens).toHaveLength(1)
    const me = await api.send('GET', '/me', undefined, tokens[0])
    expect(me.body).toMatchObject({
      user: { email: 'once@example.com' },
      workspaces: [{ id: owner.workspaceId, role: 'admin' }],
      token: { is_operator: false },
    })
    expect(await owner.list()).toContainEqual(
      expect.objectContaining({ email: 'once@example.com', status: 'active' }),
    )
    const log = await owner.send('GET', `/workspaces/${owner.workspaceId}/activity?limit=2`)
    expect(log.body['data']).toMatchObject([
      { action: 'member.joined', target: { name: 'once@example.com' } },
      { action: 'member.invited', details: { role: 'admin' } },
    ])
  },
)

test('of two workspaces that invite the same new person, only one link gives the first token, also if both are used concurrently', async () => {
  const [here, elsewhere] = [await join(), await join()]
  const invited = [await here.invite('both@example.com'), await elsewhere.invite('both@example.com')]
  for (const inviter of [here, elsewhere])
    expect((await inviter.list()).map(({ status }) => status).toSorted()).toEqual(['active', 'invited'])
  const claims = await Promise.allSettled(invited.map((one) => claim(one)))

  expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

verifies(
  ['members.claim-lapses', 'members.invite-again'],
  'an invitation ends after seven days, when it is withdrawn, and when there is a newer one',
  async () => {
    const owner = await join()
    const start = api.clock.time
    const first = await owner.invite('late@example.com')
    const second = await owner.invite('LATE@example.com', 'admin')
    expect(second.body['id']).toBe(first.body['id'])
    await expect(claim(first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    api.clock.time = new Date(start.getTime() + 7 * DAY_MS)
    await expect(claim(second)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const third = await owner.invite('late@example.com')
    expect((await owner.remove(String(third.body['id']))).status).toBe(204)
    await expect(claim(third)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await claim(await owner.invite('late@example.com'))).token).toMatch(/^cw_pat_/)
    expect(await owner.invite('late@example.com')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    api.clock.time = start
  },
)

verifies(
  'members.claim-needs-account',
  'inviting a person with an account gives no access to that account: the claim needs its own token',
  async () => {
    const victim = await join()
    const attacker = await join()
    const invited = await attacker.invite(await emailOf(victim.userId))

    await expect(claim(invited)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(claim(invited, attacker.token)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(claim(invited, 'cw_pat_guessed')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect((await victim.send('GET', '/me')).body['workspaces']).toHaveLength(1)
    expect(await claim(invited, victim.token)).toEqual({
      workspaceId: attacker.workspaceId,
      userId: victim.userId,
      token: undefined,
    })
    expect((await victim.send('GET', '/me')).body['workspaces']).toHaveLength(2)
  },
)

verifies(
  ['members.change-role', 'members.last-owner'],
  'a changed role takes effect at the next request, and the last owner cannot be demoted',
  async () => {
    const owner = await join()
    const other = await join({ role: 'member', workspaceId: owner.workspaceId })
    expect((await other.invite('x@example.com')).status).toBe(403)
    expect((await owner.changeRole(other.userId, 'owner')).body).toMatchObject({ role: 'owner' })
    expect((await other.invite('x@example.com')).status).toBe(201)

    const both = await Promise.all([
      owner.changeRole(other.userId, 'member'),
      other.changeRole(owner.userId, 'member'),
    ])
    expect(both.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([200, 409])
    const [left] = (await (both[0].status === 200 ? owner : other).list()).filter(
      ({ role }) => role === 'owner',
    )
    const last = left?.id === owner.userId ? owner : other
    expect((await last.remove(last.userId)).body).toMatchObject({ code: 'CONFLICT' })
    expect((await last.changeRole(last.userId, 'admin')).body).toMatchObject({ code: 'CONFLICT' })
    expect((await last.changeRole(last.userId, 'owner')).status).toBe(200)
    expect((await last.changeRole(crypto.randomUUID(), 'admin')).status).toBe(404)
  },
)

verifies('members.admins-and-owners', 'an admin cannot add, invite, change or remove an owner', async () => {
  const owner = await join()
  const second = await join({ role: 'owner', workspaceId: owner.workspaceId })
  const admin = await join({ role: 'admin', workspaceId: owner.workspaceId })
  const invited = await owner.invite('owner2@example.com', 'owner')
  const attempts = [
    admin.invite('boss@example.com', 'owner'),
    admin.invite('owner2@example.com', 'member'),
    admin.changeRole(admin.userId, 'owner'),
    admin.changeRole(second.userId, 'member'),
    admin.remove(second.userId),
    admin.remove(String(invited.body['id'])),
  ]
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  const member = await join({ role: 'member', workspaceId: owner.workspaceId })
  expect((await admin.changeRole(member.userId, 'admin')).status).toBe(200)
  expect((await admin.remove(member.userId)).status).toBe(204)
})

verifies(
  ['members.removed', 'members.removed-grants'],
  'a removed member is refused at the next request, keeps access to other workspaces, and comes back without grants',
  async () => {
    const owner = await join()
    const base = (
      await owner.send('POST', '/knowledge-bases', { name: 'Docs', workspace_id: owner.workspaceId })
    ).body
    const path = `/knowledge-bases/${String(base['id'])}`
    const here = await join({ role: 'member', workspaceId: owner.workspaceId })
    await owner.send('PUT', `${path}/grants/${here.userId}`, { permissions: ['config'] })
    expect((await here.send('PATCH', path, { description: 'mine' })).status).toBe(200)
    const elsewhere = await join()
    const invited = await owner.invite(await emailOf(elsewhere.userId))
    await claim(invited, elsewhere.token)
    expect((await elsewhere.send('GET', path)).status).toBe(200)

    expect((await owner.remove(here.userId)).status).toBe(204)
    expect((await owner.remove(elsewhere.userId)).status).toBe(204)

    expect((await here.send('GET', path)).status).toBe(401)
    expect((await elsewhere.send('GET', path)).status).toBe(404)
    expect((await elsewhere.send('GET', '/me')).status).toBe(200)
    const again = await claim(await owner.invite(await emailOf(here.userId)))
    expect((await api.send('PATCH', path, { description: 'mine' }, again.token)).status).toBe(403)
  },
)

verifies(
  'members.operator-tokens-stay',
  'the token of the operator outlasts the owner with whose account it was made, whose other tokens end',
  async () => {
    await using own = await openTestManagement()
    const { user, workspaces } = await own.ask<{ user: { id: string }; workspaces: { id: string }[] }>(
      'GET',
      '/me',
    )
    const workspaceId = workspaces[0]?.id ?? ''
    const heir = await own.joinWorkspace({ workspaceId })
    const script = await own.ask<{ token: string }>('POST', '/access-tokens', { name: 'script' })
    const removed = await own.send(
      'DELETE',
      `/workspaces/${workspaceId}/members/${user.id}`,
      undefined,
      heir.token,
    )
    expect(removed.status).toBe(204)

    expect((await own.send('GET', '/me', undefined, script.token)).status).toBe(401)
    expect((await own.send('GET', '/me')).body).toMatchObject({
      user: { id: heir.userId },
      workspaces: [{ id: workspaceId, role: 'owner' }],
      token: { is_operator: true },
    })
    expect((await own.send('GET', '/workspaces')).status).toBe(200)
    // The person is deleted in time, as everybody who was removed: no token keeps them.
    own.clock.time = new Date(own.clock.time.getTime() + 31 * DAY_MS)
    const job = own.service.rooms.jobs.find(({ name }) => name === 'forget-people')
    await job?.handle({}, new AbortController().signal)
    expect(await own.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).toEqual([])
  },
)

test('an invitation that is used, renewed and withdrawn at the same moment leaves a member or none, and no invitation of a member', async () => {
  const owner = await join()
  for (let round = 0; round < 12; round += 1) {
    const email = `hasty-${round}@example.com`
    const invited = await owner.invite(email)
    const userId = String(invited.body['id'])
    const [claimed, other] = await Promise.allSettled([
      claim(invited),
      round % 2 === 0 ? owner.invite(email, 'admin') : owner.remove(userId),
    ])
    const refusal = claimed.status === 'rejected' ? (claimed.reason as { code: string }).code : 'none'
    expect(['none', 'NOT_FOUND']).toContain(refusal)
    expect([201, 204, 409]).toContain(other.status === 'fulfilled' ? other.value.status : 0)
    expect((await owner.list()).filter(({ id }) => id === userId).length).toBeLessThanOrEqual(1)
  }
})

async function emailOf(userId: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${userId}`.execute(api.db)
  return rows[0]?.email ?? ''
}

test('people who are in no workspace are deleted after 30 days; who is invited or a member elsewhere is not', async () => {
  const [here, elsewhere] = [await join(), await join()]
  const joined = async (email: string, also: boolean) => {
    const invited = await here.invite(email)
    const { userId, token } = await claim(invited)
    if (also) await claim(await elsewhere.invite(email), token)
    return userId
  }
  const [gone, other, again] = [
    await joined('gone@example.com', false),
    await joined('other@example.com', true),
    await joined('again@example.com', false),
  ]
  for (const userId of [gone, other, again]) expect((await here.remove(userId)).status).toBe(204)
  await here.invite('never@example.com')
  await elsewhere.invite('lately@example.com')
  const EMAILS = ['gone', 'other', 'again', 'never', 'lately'].map((name) => `${name}@example.com`)
  const forgetAfter = async (days: number) => {
    api.clock.time = new Date(api.clock.time.getTime() + days * DAY_MS)
    const job = api.service.rooms.jobs.find(({ name }) => name === 'forget-people')
    await job?.handle({}, new AbortController().signal)
    const rows = await api.db.selectFrom('users').select('email').where('email', 'in', EMAILS).execute()
    return EMAILS.filter((email) => rows.some((row) => row.email === email))
  }
  const log = async () =>
    (await here.send('GET', `/workspaces/${here.workspaceId}/activity?action=member.removed`)).body['data']
  expect(await forgetAfter(29)).toEqual(EMAILS)
  expect(JSON.stringify(await log())).toContain('gone@example.com')
  await here.invite('again@example.com')
  await elsewhere.invite('lately@example.com')
  expect(await forgetAfter(9)).toEqual(EMAILS.filter((email) => !/gone|never/.test(email)))
  expect(JSON.stringify(await log())).not.toContain('gone@example.com')
  // A new person, who joins as everybody else does.
  expect((await claim(await here.invite('gone@example.com'))).userId).not.toBe(gone)
})
