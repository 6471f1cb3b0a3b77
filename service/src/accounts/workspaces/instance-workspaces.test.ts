import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

interface Workspace {
  id: string
  name: string
  plan: string
  suspended_at: string | null
  member_count: number
  knowledge_base_count: number
  invitation: { email: string; url: string }
}

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

const create = async (name: string, owner_email: string, plan = 'pro') =>
  await api.ask<Workspace>('POST', '/workspaces', { name, owner_email, plan })

/** The owner joins by the link, and gets an access token. */
async function joinAs({ invitation }: Workspace): Promise<string> {
  const code = new URL(invitation.url).searchParams.get('code') ?? ''
  const { token } = await api.invitations.claim({ code })
  return token ?? ''
}

verifies(
  'workspaces.operator-makes',
  'the operator makes a workspace whose owner joins by a link, and sees neither more than others nor what is in it',
  async () => {
    const made = await create('Acme', 'ada@example.com')
    expect(made).toMatchObject({
      name: 'Acme',
      plan: 'pro',
      suspended_at: null,
      member_count: 0,
      knowledge_base_count: 0,
      invitation: { email: 'ada@example.com' },
    })
    const ada = await joinAs(made)
    expect((await api.send('GET', '/me', undefined, ada)).body).toMatchObject({
      workspaces: [{ id: made.id, name: 'Acme', plan: 'pro', role: 'owner' }],
    })
    await api.send('POST', '/knowledge-bases', { name: 'Acme docs' }, ada)
    const { data } = await api.ask<{ data: Workspace[] }>('GET', '/workspaces')
    expect(data.find(({ id }) => id === made.id)).toMatchObject({ member_count: 1, knowledge_base_count: 1 })
    expect(JSON.stringify(data)).not.toContain('llm')

    // The owner is no operator; the operator is no member.
    for (const [method, path, body] of [
      ['GET', '/workspaces', undefined],
      ['POST', '/workspaces', { name: 'Mine', owner_email: 'eve@example.com' }],
      ['POST', `/workspaces/${made.id}/suspend`, undefined],
      ['POST', `/workspaces/${made.id}/resume`, undefined],
    ] as const) {
      expect((await api.send(method, path, body, ada)).status).toBe(403)
    }
    expect((await api.send('GET', `/knowledge-bases?workspace_id=${made.id}`)).body['data']).toEqual([])
    expect((await api.send('GET', `/workspaces/${made.id}/members`)).status).toBe(404)
    expect((await api.send('POST', '/workspaces', { name: 'Acme', owner_email: 'nobody' })).status).toBe(400)
  },
)

verifies(
  'workspaces.suspended',
  'a suspended workspace answers nothing and makes nothing, and resuming restores what was active, and only that',
  async () => {
    const made = await create('Beta', 'grace@example.com')
    const other = await create('Beta Labs', 'niklaus@example.com')
    const grace = await joinAs(made)
    const asGrace = async (method: string, path: string, body?: unknown) =>
      await api.send(method, path, body, grace)
    const base = async (name: string) =>
      String((await asGrace('POST', '/knowledge-bases', { name })).body['id'])
    const [active, archived] = [await base('Active docs'), await base('Old docs')]
    await asGrace('POST', `/knowledge-bases/${archived}/archive`)
    const statusOf = async (id: string) => (await asGrace('GET', `/knowledge-bases/${id}`)).body['status']

    const suspended = await api.ask<Workspace>('POST', `/workspaces/${made.id}/suspend`)
    expect(suspended.suspended_at).toMatch(/^\d{4}-/)
    expect(await statusOf(active)).toBe('archived')
    const { data: all } = await api.ask<{ data: Workspace[] }>('GET', '/workspaces')
    expect(all.find(({ id }) => id === other.id)?.suspended_at).toBeNull()
    expect(await asGrace('POST', `/knowledge-bases/${active}/chat`, { query: 'How?' })).toMatchObject({
      status: 403,
      body: { code: 'KNOWLEDGE_BASE_ARCHIVED' },
    })
    for (const [path, body] of [
      ['/knowledge-bases', { name: 'Another' }],
      [`/knowledge-bases/${active}/restore`, undefined],
      [`/knowledge-bases/${archived}/restore`, undefined],
    ] as const) {
      expect(await asGrace('POST', path, body)).toMatchObject({
        status: 403,
        body: { code: 'WORKSPACE_SUSPENDED' },
      })
    }
    expect((await asGrace('GET', `/workspaces/${made.id}`)).body['suspended_at']).toBe(suspended.suspended_at)
    // A change of the settings does not end it.
    expect((await asGrace('PATCH', `/workspaces/${made.id}`, { name: 'Beta 2' })).body['suspended_at']).toBe(
      suspended.suspended_at,
    )
    expect((await api.send('POST', `/workspaces/${made.id}/suspend`)).status).toBe(409)

    await api.ask('POST', `/workspaces/${made.id}/resume`)
    expect([await statusOf(active), await statusOf(archived)]).toEqual(['active', 'archived'])
    expect((await asGrace('POST', '/knowledge-bases', { name: 'Another' })).status).toBe(201)
    expect((await api.send('POST', `/workspaces/${made.id}/resume`)).status).toBe(409)
    expect((await api.send('POST', `/workspaces/${crypto.randomUUID()}/suspend`)).status).toBe(404)
    const { data } = (await asGrace('GET', `/workspaces/${made.id}/activity?limit=200`)).body as {
      data: { action: string }[]
    }
    const actions = data.map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('workspace.')).toSorted()).toEqual([
      'workspace.created',
      'workspace.resumed',
      'workspace.suspended',
      'workspace.updated',
    ])
  },
)

test('the operator does not learn by any answer which language model a workspace of others uses', async () => {
  const made = await create('Delta', 'frances@example.com')
  const frances = await joinAs(made)
  const llm = {
    base_url: 'https://llm.example.com/v1',
    model: 'their-model',
    api_key: 'sk-a-key-of-their-own',
  }
  const kept = await api.send('PATCH', `/workspaces/${made.id}`, { llm }, frances)
  expect(kept.body['llm']).toMatchObject({ model: 'their-model' })
  for (const [method, path, body] of [
    ['GET', `/workspaces/${made.id}`, undefined],
    ['PATCH', `/workspaces/${made.id}`, { plan: 'enterprise' }],
    ['POST', `/workspaces/${made.id}/suspend`, undefined],
    ['POST', `/workspaces/${made.id}/resume`, undefined],
  ] as const) {
    const answer = await api.send(method, path, body)
    expect([answer.status, answer.body['llm']]).toEqual([200, null])
    expect(JSON.stringify(answer.body)).not.toMatch(/their|llm\.example/)
  }
  expect((await api.send('GET', `/workspaces/${made.id}`, undefined, frances)).body['llm']).toMatchObject({
    model: 'their-model',
  })
})

test(
  'resuming restores no more bases than the plan allows by then, the oldest first',
  { tags: ['long'] },
  async () => {
    const made = await create('Gamma', 'edsger@example.com')
    const edsger = await joinAs(made)
    const asEdsger = async (method: string, path: string, body?: unknown) =>
      (await api.send(method, path, body, edsger)).body
    const ids: string[] = []
    for (const name of ['First docs', 'Second docs']) {
      ids.push(String((await asEdsger('POST', '/knowledge-bases', { name }))['id']))
    }
    await api.ask('POST', `/workspaces/${made.id}/suspend`)
    await api.ask('PATCH', `/workspaces/${made.id}`, { plan: 'free' })
    await api.ask('POST', `/workspaces/${made.id}/resume`)
    const shown = await Promise.all(ids.map((id) => asEdsger('GET', `/knowledge-bases/${id}`)))
    expect(shown.map(({ status }) => status)).toEqual(['active', 'archived'])
    const { data } = (await asEdsger('GET', `/workspaces/${made.id}/activity?limit=200`)) as {
      data?: { action: string; details: unknown }[]
    }
    expect(data?.find(({ action }) => action === 'workspace.resumed')?.details).toEqual({
      knowledge_bases: 1,
      left_archived: 1,
    })
  },
)

test(
  'a workspace is suspended and resumed while its bases are changed, and nobody waits for ever',
  { tags: ['long'] },
  async () => {
    const made = await create('Delta', 'barbara@example.com', 'enterprise')
    const barbara = await joinAs(made)
    const ids: string[] = []
    for (let at = 0; at < 6; at += 1) {
      const base = await api.send('POST', '/knowledge-bases', { name: `Docs ${at}` }, barbara)
      ids.push(String(base.body['id']))
    }
    const statuses = new Set<number>()
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all([
        api.send('POST', `/workspaces/${made.id}/${round % 2 === 0 ? 'suspend' : 'resume'}`),
        ...[...ids, ...ids].map((id, at) =>
          api.send('PATCH', `/knowledge-bases/${id}`, { description: `${round} ${at}` }, barbara),
        ),
      ])
      expect(answers[0].status).toBe(200)
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 403)).toEqual([])
  },
)
