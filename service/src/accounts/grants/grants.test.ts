import type { TokenScope } from '@citewell/contract/endpoint'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import type { Role } from '../permissions/permissions.ts'

let api: TestManagement
let workspaceId: string

beforeAll(async () => {
  api = await openTestManagement()
  const me = await api.ask<{ workspaces: { id: string }[] }>('GET', '/me')
  workspaceId = me.workspaces[0]?.id ?? ''
})
afterAll(() => api.close())

async function join(role: Role, scopes: TokenScope[] = ['admin']) {
  const caller = await api.joinWorkspace({ role, workspaceId })
  const { token } = await api.accessTokens.create(caller, {
    name: 'x',
    scopes,
    expiresAt: undefined,
  })
  const send = (method: string, path: string, body?: unknown) => api.send(method, path, body, token)
  return {
    userId: caller.userId,
    send,
    status: async (...of: Parameters<typeof send>) => (await send(...of)).status,
  }
}

const makeBase = async (fields: Record<string, unknown> = {}) => {
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Docs' })
  const path = `/knowledge-bases/${base['id']}`
  await api.ask('PATCH', path, { workspace_members_can_chat: false, ...fields })
  return { id: base['id'] ?? '', path }
}

verifies(
  ['permissions.grants', 'permissions.grants-at-once'],
  'a grant, its replacement and its removal take effect at the next request, and are listed and logged',
  async () => {
    const { path, id } = await makeBase()
    const member = await join('member')
    expect(await member.status('GET', path)).toBe(403)

    const made = await api.send('PUT', `${path}/grants/${member.userId}`, { permissions: ['chat'] })
    expect(made).toMatchObject({
      status: 200,
      body: { id: member.userId, user_id: member.userId, knowledge_base_id: id, permissions: ['chat'] },
    })
    expect(await member.status('GET', path)).toBe(200)
    expect(await member.status('PATCH', path, { description: 'x' })).toBe(403)
    await api.ask('PUT', `${path}/grants/${member.userId}`, { permissions: ['config', 'chat'] })
    expect(await member.status('PATCH', path, { description: 'x' })).toBe(200)
    expect((await member.send('GET', `${path}/grants`)).body).toMatchObject({
      data: [{ user_id: member.userId, permissions: ['config', 'chat'] }],
      next_cursor: null,
    })
    await api.ask('DELETE', `${path}/grants/${member.userId}`)
    expect(await member.status('PATCH', path, { description: 'x' })).toBe(403)
    expect(await member.status('GET', path)).toBe(403)
    expect((await api.send('DELETE', `${path}/grants/${member.userId}`)).status).toBe(404)
    const log = await api.ask<{ data: unknown[] }>(
      'GET',
      `/workspaces/${workspaceId}/activity?knowledge_base_id=${id}&limit=2`,
    )
    expect(log.data).toMatchObject([
      { action: 'member.grant_taken_back', target: { type: 'member', id: member.userId } },
      { action: 'knowledge_base.updated', actor: { user_id: member.userId } },
    ])
  },
)

verifies(
  'permissions.told',
  'each base says what its caller may do with it, by their role, grants and members switch, and the scope of their token',
  async () => {
    const { path, id } = await makeBase()
    const [admin, member] = [await join('admin'), await join('member')]
    const told = async (asker: Pick<typeof member, 'send'>, of = path) =>
      (await asker.send('GET', of)).body['your_permissions']

    expect(await told(admin)).toEqual(['chat', 'config', 'edit-config'])
    await api.ask('PUT', `${path}/grants/${member.userId}`, { permissions: ['config'] })
    expect(await told(member)).toEqual(['config'])
    await api.ask('PATCH', path, { workspace_members_can_chat: true })
    expect(await told(member)).toEqual(['chat', 'config'])
    const { body: list } = await member.send('GET', '/knowledge-bases?limit=200')
    expect(list['data']).toContainEqual(expect.objectContaining({ id, your_permissions: ['chat', 'config'] }))

    const made = await member.send('POST', '/knowledge-bases', { name: 'Own', workspace_id: workspaceId })
    expect(made).toMatchObject({ status: 201, body: { your_permissions: ['chat', 'config'] } })
    const reader = await join('admin', ['read'])
    expect(await told(reader)).toEqual(['chat'])
  },
)

verifies(
  'permissions.grants-to-members',
  'grants are only for members: not for non-members, owners and admins, and never empty',
  async () => {
    const { path } = await makeBase()
    const admin = await join('admin')
    const member = await join('member')
    const put = async (userId: string, permissions: unknown) =>
      (await api.send('PUT', `${path}/grants/${userId}`, { permissions })).status
    expect(await put(admin.userId, ['config'])).toBe(409)
    expect(await put(crypto.randomUUID(), ['config'])).toBe(404)
    for (const permissions of [[], ['edit-config'], ['chat', 'chat'], 'chat', null]) {
      expect(await put(member.userId, permissions)).toBe(400)
    }
    expect(await admin.status('PUT', `${path}/grants/${member.userId}`, { permissions: ['chat'] })).toBe(200)
    await api.ask('POST', `${path}/archive`)
    expect(await put(member.userId, ['config'])).toBe(403)
  },
)

verifies(
  ['permissions.type-and-switch', 'permissions.archive-restore-delete'],
  'a member with Config sets the base up, but its type, members switch, grants, archive, restore and deletion are refused',
  async () => {
    const { path } = await makeBase()
    const editor = await join('member')
    await api.ask('PUT', `${path}/grants/${editor.userId}`, { permissions: ['config'] })

    expect(await editor.status('PATCH', path, { name: 'Better docs', tone: 'calm' })).toBe(200)
    expect(await editor.status('POST', `${path}/widgets`, { name: 'Mine' })).toBe(201)
    for (const change of [
      { type: 'internal' },
      { workspace_members_can_chat: true },
      { name: 'x2', type: 'internal' },
    ]) {
      expect(await editor.status('PATCH', path, change)).toBe(403)
    }
    expect(
      await editor.status('PUT', `${path}/grants/${editor.userId}`, { permissions: ['config', 'chat'] }),
    ).toBe(403)
    expect(await editor.status('POST', `${path}/archive`)).toBe(403)
    await api.ask('POST', `${path}/archive`)
    expect(await editor.status('POST', `${path}/restore`)).toBe(403)
    expect(await editor.status('DELETE', path, { confirm: 'Better docs' })).toBe(403)
    expect(await editor.status('GET', `${path}/deletion-preview`)).toBe(403)
  },
)

verifies(
  'permissions.create-bases',
  'owners, admins and members create bases; a member configures and asks their own, and another member does not',
  async () => {
    const roles = await Promise.all(
      (['owner', 'admin', 'member'] as const).map(async (role) => await join(role)),
    )
    const made = await Promise.all(
      roles.map((person) => person.send('POST', '/knowledge-bases', { name: 'Mine' })),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    const path = `/knowledge-bases/${String(made[2]?.body['id'])}`
    expect(await roles[2]?.status('PATCH', path, { description: 'set up' })).toBe(200)
    expect((await api.ask<{ data: unknown[] }>('GET', `${path}/grants`)).data).toMatchObject([
      { user_id: roles[2]?.userId, permissions: ['config', 'chat'] },
    ])
    expect(await (await join('member')).status('PATCH', path, { description: 'no' })).toBe(403)
  },
)

verifies(
  'permissions.listed',
  'a member’s list has the bases that they may reach, an owner’s or admin’s has all of the workspace',
  async () => {
    const closed = await makeBase()
    const granted = await makeBase()
    const open = await makeBase({ workspace_members_can_chat: true })
    const member = await join('member')
    await api.ask('PUT', `${granted.path}/grants/${member.userId}`, { permissions: ['chat'] })
    const listed = async (person: { send: typeof api.send }) =>
      ((await person.send('GET', '/knowledge-bases?limit=200')).body['data'] as { id: string }[]).map(
        ({ id }) => id,
      )

    const seen = await listed(member)
    expect(seen).toEqual(expect.arrayContaining([granted.id, open.id]))
    expect(seen).not.toContain(closed.id)
    expect(await listed(await join('admin'))).toEqual(
      expect.arrayContaining([closed.id, granted.id, open.id]),
    )
  },
)
