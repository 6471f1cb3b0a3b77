import { verifies } from '@citewell/spec/verifies'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callTool,
  connectAsMember,
  knock,
  makeMember,
  openMcpClient,
  openMemberBrowser,
  type MemberBrowser,
} from '../../../test/connect-as-member.ts'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let workspaceId: string
let member: string
let browser: MemberBrowser

async function makeInternal(name: string) {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name,
    type: 'internal',
  })
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: name,
    sign_in_type: 'internal',
  })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    name: 'Handbook',
    type: 'push',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'incidents',
        title: 'Incident handbook',
        url: `https://docs.example.com/${name}/incidents`,
        markdown: '# Incidents\n\nDuring an incident, keys are rotated by the heliotrope procedure.',
        visibility: 'restricted',
      },
    ],
  })
  return { id: base.id, address: `${citewell.address}/mcp/${name}` }
}

beforeAll(async () => {
  citewell = await startTestService()
  workspaceId =
    (await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')).workspaces[0]?.id ?? ''
  member = await makeMember(citewell, workspaceId)
  browser = await openMemberBrowser(citewell, member)
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const tokenFor = async (address: string, as = browser) =>
  (await connectAsMember(citewell, as, address)).tokens.access_token

verifies(
  ['mcp.restricted-for-the-team', 'authentication.mcp-internal'],
  'a signed-in member finds restricted documents, and their question is stored, counted and traced',
  async () => {
    const base = await makeInternal('team-handbook')
    const { consent, tokens } = await connectAsMember(citewell, browser, base.address)
    const client = await openMcpClient(base.address, tokens.access_token)
    const { tools } = await client.listTools()
    const found = await callTool(client, 'search_docs', { query: 'how are keys rotated in an incident' })
    const asked = await callTool(client, 'ask_question', {
      question: 'How are keys rotated during an incident?',
    })
    await client.close()
    const usage = await citewell.json<{ knowledge_bases: { knowledge_base_id: string }[] }>(
      'GET',
      `/api/v1/workspaces/${workspaceId}/usage`,
    )
    const threads = await citewell.json<{ data: { id: string; surface: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/conversations`,
    )
    const [message] = (
      await citewell.json<{ messages: { id: string }[] }>(
        'GET',
        `/api/v1/conversations/${threads.data[0]?.id}`,
      )
    ).messages
    const trace = await citewell.json<Record<string, unknown>>('GET', `/api/v1/messages/${message?.id}/trace`)

    expect(consent.html).toContain(`${member}@example.com`)
    expect(consent.html).toContain('Let Test tool read team-handbook?')
    expect(tools.map(({ name }) => name)).toContain('search_team_handbook_knowledge_sources')
    expect(found.text).toContain('heliotrope')
    expect(asked.text).toContain('heliotrope')
    expect(usage.knowledge_bases.filter((used) => used.knowledge_base_id === base.id)).toEqual([
      {
        knowledge_base_id: base.id,
        name: 'team-handbook',
        questions: 1,
        surfaces: [{ surface: 'mcp', questions: 1 }],
      },
    ])
    expect(threads.data.map(({ surface }) => surface)).toEqual(['mcp'])
    expect(JSON.stringify(trace)).toContain('heliotrope')
  },
)

test('a client with the 1.x SDK reads an internal server too', async () => {
  const base = await makeInternal('legacy-handbook')
  const client = new LegacyClient({ name: 'legacy', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${await tokenFor(base.address)}` } }
  await client.connect(new LegacyTransport(new URL(base.address), { requestInit }))
  const found = await client.callTool({ name: 'search_docs', arguments: { query: 'incident keys' } })
  await client.close()

  expect(JSON.stringify(found)).toContain('heliotrope')
})

describe('a member loses access with the next request', () => {
  const statusAfter = async (name: string, change: (base: { id: string }) => Promise<unknown>) => {
    const base = await makeInternal(name)
    const token = await tokenFor(base.address)
    const before = (await knock(base.address, token)).status
    await change(base)
    return [before, (await knock(base.address, token)).status]
  }

  verifies(
    'mcp.permissions-at-once',
    'a member who may no longer chat in the base is refused at the next request',
    async () => {
      const base = await makeInternal('granted-handbook')
      const path = `/api/v1/knowledge-bases/${base.id}`
      const own = await makeMember(citewell, workspaceId)
      await citewell.json('PATCH', path, { workspace_members_can_chat: false })
      const as = await openMemberBrowser(citewell, own)
      await citewell.json('PUT', `${path}/grants/${own}`, { permissions: ['chat'] })
      const token = await tokenFor(base.address, as)
      const granted = await knock(base.address, token)
      await citewell.json('DELETE', `${path}/grants/${own}`)
      const withdrawn = await knock(base.address, token)
      await citewell.json('PATCH', path, { workspace_members_can_chat: true })

      expect([granted.status, withdrawn.status]).toEqual([200, 403])
      expect(await withdrawn.json()).toMatchObject({ code: 'FORBIDDEN' })
      expect((await knock(base.address, token)).status).toBe(200)
    },
  )

  verifies(
    'mcp.permissions-at-once',
    'a member who is removed from the workspace is refused at the next request',
    async () => {
      const base = await makeInternal('left-handbook')
      const own = await makeMember(citewell, workspaceId)
      const token = await tokenFor(base.address, await openMemberBrowser(citewell, own))
      const before = (await knock(base.address, token)).status
      await citewell.json('DELETE', `/api/v1/workspaces/${workspaceId}/members/${own}`)

      // It was their last workspace: all their tools are disconnected.
      expect([before, (await knock(base.address, token)).status]).toEqual([200, 401])
    },
  )

  verifies(
    'mcp.closed-bases',
    'members are refused when the base is archived, becomes external, or is deleted',
    async () => {
      const archived = await statusAfter('archived-handbook', async ({ id }) =>
        citewell.json('POST', `/api/v1/knowledge-bases/${id}/archive`),
      )
      const switched = await statusAfter('switched-handbook', async ({ id }) =>
        citewell.json('PATCH', `/api/v1/knowledge-bases/${id}`, { type: 'external' }),
      )
      const deleted = await statusAfter('deleted-handbook', async ({ id }) =>
        citewell.json('DELETE', `/api/v1/knowledge-bases/${id}`, { confirm: 'deleted-handbook' }),
      )

      expect([archived, switched, deleted]).toEqual([
        [200, 403],
        [200, 404],
        [200, 404],
      ])
    },
  )
})

test('a member who may not chat in the base sees an error, and no tool is connected', async () => {
  const base = await makeInternal('closed-handbook')
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, { workspace_members_can_chat: false })

  await expect(tokenFor(base.address)).rejects.toThrow('may not chat in this knowledge base')
})

verifies(
  'mcp-servers.usage',
  'calls and readers of a server are counted without names and texts, and no reader is with zero retention',
  async () => {
    const base = await makeInternal('counted-handbook')
    const usage = async () => {
      const { data } = await citewell.json<{ data: Record<string, unknown>[] }>(
        'GET',
        `/api/v1/knowledge-bases/${base.id}/mcp-servers`,
      )
      return [data[0]?.['calls'], data[0]?.['readers'], data[0]?.['last_used_at']]
    }
    const stored = async () =>
      JSON.stringify(
        await citewell.storage.db
          .selectFrom('mcp_server_calls')
          .selectAll()
          .where('knowledge_base_id', '=', base.id)
          .execute(),
      )
    const callTwice = async (token: string) => {
      const client = await openMcpClient(base.address, token)
      await client.listTools()
      for (const query of ['incident keys', 'heliotrope']) await callTool(client, 'search_docs', { query })
      await client.close()
    }
    const other = await makeMember(citewell, workspaceId)
    const [mine, theirs] = [
      await tokenFor(base.address),
      await tokenFor(base.address, await openMemberBrowser(citewell, other)),
    ]
    expect(await usage()).toEqual([0, 0, null])
    await callTwice(mine)
    await callTwice(mine)
    await callTwice(theirs)
    // Nobody waits for the count.
    await eventually(usage, ([calls]) => calls === 6)
    expect(await usage()).toEqual([6, 2, expect.stringMatching(/^\d{4}-/)])
    expect(await stored()).not.toMatch(new RegExp(`incident|heliotrope|${member}|${other}`))

    const workspace = `/api/v1/workspaces/${workspaceId}`
    await citewell.json('PATCH', workspace, { zero_data_retention: true })
    await callTwice(mine)
    await eventually(usage, ([calls]) => calls === 8)
    expect((await usage()).slice(0, 2)).toEqual([8, null])
    expect(JSON.parse(await stored())).toContainEqual(expect.objectContaining({ reader: '', calls: 2 }))
    await citewell.json('PATCH', workspace, { zero_data_retention: false })
  },
)
