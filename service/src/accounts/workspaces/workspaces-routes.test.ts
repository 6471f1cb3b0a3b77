import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import type { Role } from '../permissions/permissions.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

async function join(given: { role?: Role; workspaceId?: string } = {}) {
  const caller = await api.joinWorkspace(given)
  const { token } = await api.accessTokens.create(caller, {
    name: 'x',
    scopes: ['admin'],
    expiresAt: undefined,
  })
  const path = `/workspaces/${caller.workspaceId}`
  return {
    workspaceId: caller.workspaceId,
    token,
    path,
    read: async () => (await api.send('GET', path, undefined, token)).body,
    change: (changes: Record<string, unknown>) => api.send('PATCH', path, changes, token),
  }
}

verifies(
  ['workspaces.read', 'workspaces.change'],
  'members read the workspace, owners and admins change name and retention, and fields that are not sent stay',
  async () => {
    const owner = await join()
    const admin = await join({ role: 'admin', workspaceId: owner.workspaceId })
    const member = await join({ role: 'member', workspaceId: owner.workspaceId })

    expect(await member.read()).toMatchObject({
      id: owner.workspaceId,
      name: 'Acme',
      plan: 'enterprise',
      monthly_question_allowance: null,
      zero_data_retention: false,
      llm: null,
    })
    expect(await owner.change({ zero_data_retention: true })).toMatchObject({
      status: 200,
      body: { name: 'Acme', zero_data_retention: true },
    })
    expect((await admin.change({ name: 'Acme Corp' })).body).toMatchObject({
      name: 'Acme Corp',
      zero_data_retention: true,
    })
    expect((await member.change({ name: 'Mine' })).status).toBe(403)
    expect((await owner.change({ name: '' })).status).toBe(400)
    expect((await owner.change({ owner: 'me' })).status).toBe(400)
    expect(await member.read()).toMatchObject({ name: 'Acme Corp', zero_data_retention: true })
    const log = await api.send(
      'GET',
      `${owner.path}/activity?action=workspace.updated`,
      undefined,
      owner.token,
    )
    expect(log.body['data']).toMatchObject([
      { details: { fields: ['name'] } },
      { details: { fields: ['zero_data_retention'], zero_data_retention: true } },
    ])
  },
)

verifies(
  ['workspaces.operator-sets-plan', 'workspaces.operator-is'],
  'plan and allowance are set with the operator’s token, for any workspace, and not together with fields of the owner',
  async () => {
    const owner = await join()
    for (const change of [{ plan: 'pro' }, { monthly_question_allowance: 5 }, { name: 'X', plan: 'pro' }]) {
      expect(await owner.change(change)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await owner.read()).toMatchObject({ name: 'Acme', plan: 'enterprise' })

    const set = await api.send('PATCH', owner.path, { plan: 'free', monthly_question_allowance: 7 })
    expect(set).toMatchObject({ status: 200, body: { plan: 'free', monthly_question_allowance: 7 } })
    expect((await api.send('PATCH', owner.path, { name: 'Taken over' })).status).toBe(403)
    expect((await api.send('PATCH', owner.path, { monthly_question_allowance: -1 })).status).toBe(400)
    expect((await api.send('PATCH', owner.path, { plan: 'platinum' })).status).toBe(400)

    const made = await api.ask('POST', '/access-tokens', {
      name: 'x',
      scopes: ['admin'],
    })
    expect((await api.send('PATCH', owner.path, { plan: 'pro' }, made['token'])).status).toBe(404)
    const me = await api.ask<{ token: { is_operator: boolean } }>('GET', '/me')
    expect(me.token.is_operator).toBe(true)
    expect((await api.send('GET', '/me', undefined, made['token'])).body['token']).toMatchObject({
      is_operator: false,
    })
  },
)

verifies(
  'workspaces.llm',
  'the API key of a workspace’s model is stored encrypted, and never shown again',
  async () => {
    const owner = await join()
    const key = 'sk-test-0123456789abcdef'
    const llm = { base_url: 'https://llm.example.com/v1', model: 'small', api_key: key }
    const answer = await owner.change({ llm })
    expect(answer.body['llm']).toEqual({
      base_url: 'https://llm.example.com/v1',
      model: 'small',
      has_api_key: true,
      api_key_end: 'cdef',
    })
    const { rows } =
      await sql`select to_jsonb(w)::text as text from workspaces w union all select to_jsonb(a)::text from activity_log a`.execute(
        api.db,
      )
    expect(JSON.stringify([rows, await owner.read()])).not.toContain(key)
    expect((await owner.change({ llm: null })).body['llm']).toBeNull()
  },
)

verifies(
  'workspaces.me',
  'GET /me returns the person, and each workspace with their role in it',
  async () => {
    const owner = await join()
    const other = await join()
    const user = (await api.send('GET', '/me', undefined, owner.token)).body['user'] as {
      id: string
      email: string
    }
    const invited = await api.send(
      'POST',
      `${other.path}/members`,
      { email: user.email, role: 'admin' },
      other.token,
    )
    const code = (invited.body['invitation'] as { url: string }).url.split('code=')[1] ?? ''
    await api.invitations.claim({ code, proof: { ownToken: owner.token } })

    const me = await api.send('GET', '/me', undefined, owner.token)

    expect(me.body['workspaces']).toEqual([
      { id: owner.workspaceId, name: 'Acme', plan: 'enterprise', role: 'owner' },
      { id: other.workspaceId, name: 'Acme', plan: 'enterprise', role: 'admin' },
    ])
  },
)

verifies('workspaces.contains-bases', 'a workspace lists only its own bases', async () => {
  const [one, other] = [await join(), await join()]
  for (const { token, workspaceId } of [one, other]) {
    await api.send('POST', '/knowledge-bases', { name: `Docs of ${workspaceId}` }, token)
  }
  const listed = await api.send('GET', '/knowledge-bases', undefined, one.token)
  expect(listed.body['data']).toMatchObject([
    { workspace_id: one.workspaceId, name: `Docs of ${one.workspaceId}` },
  ])
  const foreign = await api.send(
    'GET',
    `/knowledge-bases?workspace_id=${other.workspaceId}`,
    undefined,
    one.token,
  )
  expect(foreign.body['data']).toEqual([])
})
