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
import { makeGroup } from '../../../test/make-records.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { newId } from '../../kernel/ids.ts'

interface TestBase {
  id: string
  sourceId: string
  groupId: string
}

let citewell: TestService
let portal: string
let workspaceId: string
let member: string
let browser: MemberBrowser
let keys: TestBase
let pay: TestBase
let hidden: TestBase
let foreign: TestBase

async function makeBase(name: string, text: string, fields: Record<string, unknown> = {}): Promise<TestBase> {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name, ...fields })
  const groupId = await makeGroup(citewell.storage.db, base.id)
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    name: `${name} pages`,
    type: 'push',
    config: {},
    source_group_id: groupId,
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'page',
        title: `${name} handbook`,
        url: `https://docs.example.com/${base.id}`,
        markdown: `# ${name}\n\n${text}`,
        visibility: 'restricted',
      },
    ],
  })
  return { id: base.id, sourceId: source.id, groupId }
}

beforeAll(async () => {
  citewell = await startTestService()
  portal = `${citewell.address}/mcp/portal`
  const { db } = citewell.storage
  const me = await citewell.json<{ workspaces: { id: string }[]; user: { id: string } }>('GET', '/api/v1/me')
  workspaceId = me.workspaces[0]?.id ?? ''
  const elsewhere = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await db
    .insertInto('workspaces')
    .values({ id: elsewhere, name: 'Other', plan: 'enterprise', zero_data_retention: false, ...times })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: elsewhere, user_id: me.user.id, role: 'owner', ...times })
    .execute()
  const here = { workspace_id: workspaceId }
  keys = await makeBase('Keys', 'Signing keys are rotated by the heliotrope procedure every 90 days.', here)
  pay = await makeBase('Payments', 'Invoices are paid by the marigold procedure within 14 days.', here)
  hidden = await makeBase('Board', 'The board meets by the wisteria procedure.', here)
  foreign = await makeBase('Foreign', 'Strangers rotate keys by the oleander procedure.', {
    workspace_id: elsewhere,
  })
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${hidden.id}`, { workspace_members_can_chat: false })
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${pay.id}`, {
    settings: { mcp_documents_enabled: true },
  })
  member = await makeMember(citewell, workspaceId)
  browser = await openMemberBrowser(citewell, member)
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const chosen = (...bases: TestBase[]) => ({ base: bases.map(({ id }) => id) })
const tokenFor = async (ticked: Record<string, readonly string[]>) =>
  (await connectAsMember(citewell, browser, portal, ticked)).tokens.access_token
const open = async (ticked: Record<string, readonly string[]>) =>
  await openMcpClient(portal, await tokenFor(ticked))

const basesOf = async (token: string) => {
  const client = await openMcpClient(portal, token)
  const { data } = await callTool(client, 'list_knowledge_bases')
  await client.close()
  return (data['knowledge_bases'] as { name: string }[]).map(({ name }) => name)
}

describe('the portal', () => {
  verifies(
    ['mcp.addresses', 'authentication.mcp-portal'],
    'the portal says where to sign in, and asks which bases a tool may read: none is preselected',
    async () => {
      const refused = await knock(portal, 'nothing')
      const address =
        /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
      const metadata = await (await outsideRequest(address)).json()
      const { consent, tokens } = await connectAsMember(citewell, browser, portal, chosen(keys))

      expect(refused.status).toBe(401)
      expect(address).toBe(`${citewell.address}/.well-known/oauth-protected-resource/mcp/portal`)
      expect(metadata).toMatchObject({ resource: portal, authorization_servers: [citewell.address] })
      expect(consent.html).toContain('Keys')
      expect(consent.html).toContain('Payments')
      expect(consent.html).not.toContain('Board')
      expect(consent.html).not.toContain('Foreign')
      expect(consent.html).not.toMatch(/\schecked/)
      expect((await knock(`${portal}/`, tokens.access_token)).status).toBe(200)
    },
  )

  verifies(
    ['mcp.portal', 'mcp.portal-tools', 'mcp.portal-choice'],
    'the portal has five tools, which read the chosen bases including restricted documents',
    async () => {
      const client = await open(chosen(keys, pay))
      const { tools } = await client.listTools()
      const bases = await callTool(client, 'list_knowledge_bases')
      const found = await callTool(client, 'search_docs', { query: 'procedure' })
      const sources = await callTool(client, 'list_sources')
      const page = `https://docs.example.com/${pay.id}`
      const pages = await callTool(client, 'get_documents', {
        urls: [page, `https://docs.example.com/${keys.id}`],
      })
      await client.close()

      expect(tools.map(({ name }) => name)).toEqual([
        'list_knowledge_bases',
        'search_docs',
        'ask_question',
        'list_sources',
        'get_documents',
      ])
      expect(bases.data).toMatchObject({ knowledge_bases: [{ name: 'Keys' }, { name: 'Payments' }] })
      expect(found.text).toContain('heliotrope')
      expect(found.text).toContain('marigold')
      expect(found.text).not.toContain('wisteria')
      expect(sources.data).toMatchObject({
        sources: [
          { id: keys.sourceId, group: { id: keys.groupId }, document_count: 1 },
          { id: pay.sourceId, knowledge_base: { name: 'Payments' } },
        ],
      })
      expect(pages.data).toMatchObject({
        documents: [{ url: page, knowledge_base: { name: 'Payments' } }],
        not_found: [`https://docs.example.com/${keys.id}`],
      })
    },
  )

  test('a question is answered from the base with the best evidence, the answer names it, and the question is stored there', async () => {
    const client = await open(chosen(keys, pay))
    const one = await callTool(client, 'ask_question', { question: 'How are signing keys rotated?' })
    const other = await callTool(client, 'ask_question', { question: 'How are invoices paid?' })
    await client.close()
    const kept = async ({ id }: TestBase) =>
      (
        await citewell.json<{ data: { surface: string }[] }>(
          'GET',
          `/api/v1/knowledge-bases/${id}/conversations`,
        )
      ).data.length

    expect(one.data).toMatchObject({ covered: true, knowledge_base: { name: 'Keys' } })
    expect(one.text).toContain('heliotrope')
    expect(other.data).toMatchObject({ covered: true, knowledge_base: { name: 'Payments' } })
    expect([await kept(keys), await kept(pay)]).toEqual([1, 1])
  })

  test('a client with the 1.x SDK reads the portal too', async () => {
    const client = new LegacyClient({ name: 'legacy', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${await tokenFor(chosen(pay))}` } }
    await client.connect(new LegacyTransport(new URL(portal), { requestInit }))
    const found = await client.callTool({ name: 'search_docs', arguments: { query: 'invoices' } })
    await client.close()

    expect(JSON.stringify(found)).toContain('marigold')
  })

  test('get_documents is missing if no chosen base allows it', async () => {
    const client = await open(chosen(keys))
    const { tools } = await client.listTools()
    await client.close()

    expect(tools.map(({ name }) => name)).not.toContain('get_documents')
  })
})

verifies(
  'mcp.portal-foreign-ids',
  'an id that is not chosen, not permitted, of another workspace, or unknown is refused with the same text',
  async () => {
    const client = await open(chosen(keys))
    const nothing = { id: newId(), sourceId: newId(), groupId: newId() }
    const answers = await Promise.all(
      ['search_docs', 'ask_question'].flatMap((tool) =>
        [pay, hidden, foreign, nothing].flatMap(({ id, sourceId, groupId }) =>
          [{ knowledge_base_ids: [id] }, { group_ids: [groupId] }, { source_ids: [sourceId] }].map(
            async (ids) => {
              const text = 'how are keys rotated by the procedure'
              const answer = await callTool(client, tool, { query: text, question: text, ...ids })
              return { list: Object.keys(ids)[0], ...answer }
            },
          ),
        ),
      ),
    )
    await client.close()

    expect(answers).toHaveLength(24)
    expect(answers.every(({ isError }) => isError)).toBe(true)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(3)
    expect(JSON.stringify(answers)).not.toMatch(/marigold|wisteria|oleander/)
  },
)

verifies(
  'mcp.portal-narrowing',
  'a search and a question read only the named base, groups and sources, and several lists apply together',
  async () => {
    const { db } = citewell.storage
    const group = await makeGroup(db, keys.id)
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${keys.id}/sources`, {
      name: 'Rotation drills',
      type: 'push',
      config: {},
      source_group_id: group,
    })
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [
        {
          external_id: 'drill',
          title: 'Drills',
          url: 'https://docs.example.com/drills',
          markdown: '# Drills\n\nIn a drill, signing keys are rotated by the snowdrop procedure.',
        },
      ],
    })
    const client = await open(chosen(keys, pay))
    const query = 'by which procedure are signing keys rotated'
    const wordsFor = async (ids: Record<string, string[]>) => {
      const [found, asked] = await Promise.all([
        callTool(client, 'search_docs', { query, ...ids }),
        callTool(client, 'ask_question', { question: `${query}?`, ...ids }),
      ])
      const text = `${found.text} ${JSON.stringify(asked.data['citations'])}`
      return ['heliotrope', 'snowdrop', 'marigold'].filter((word) => text.includes(word))
    }
    const words = await Promise.all([
      wordsFor({}),
      wordsFor({ knowledge_base_ids: [pay.id] }),
      wordsFor({ source_ids: [source.id] }),
      wordsFor({ group_ids: [keys.groupId] }),
      wordsFor({ group_ids: [group], source_ids: [source.id] }),
      wordsFor({ group_ids: [keys.groupId], source_ids: [source.id] }),
      wordsFor({ knowledge_base_ids: [pay.id], source_ids: [source.id] }),
    ])
    await client.close()

    expect(words[0]).toEqual(expect.arrayContaining(['heliotrope', 'snowdrop']))
    expect(words.slice(1)).toEqual([['marigold'], ['snowdrop'], ['heliotrope'], ['snowdrop'], [], []])
  },
)

describe('tokens of the portal', () => {
  verifies(
    'mcp.portal-tokens',
    'a token of the portal works at no server, and a token of a server not at the portal',
    async () => {
      const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
        name: 'Own server',
        type: 'internal',
        workspace_id: workspaceId,
      })
      await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
        server_name: 'own-server',
        sign_in_type: 'internal',
      })
      const server = `${citewell.address}/mcp/own-server`
      const ofPortal = await tokenFor({ all: ['yes'] })
      const ofServer = (await connectAsMember(citewell, browser, server)).tokens.access_token
      const answers = await Promise.all([
        knock(portal, ofPortal),
        knock(server, ofServer),
        knock(server, ofPortal),
        knock(portal, ofServer),
        knock(`${citewell.address}/mcp`, ofPortal),
      ])

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 401, 401])
    },
  )
})

describe('a tool reads what its member may read, from the next request on', () => {
  verifies(
    'mcp.portal-all',
    'a tool with all bases also reads future ones; a tool with chosen bases only those',
    async () => {
      const [all, one] = [await tokenFor({ all: ['yes'] }), await tokenFor(chosen(keys))]
      const before = await basesOf(all)
      await citewell.json('PUT', `/api/v1/knowledge-bases/${hidden.id}/grants/${member}`, {
        permissions: ['chat'],
      })
      const granted = await basesOf(all)
      const chosenThen = await basesOf(one)
      await citewell.json('DELETE', `/api/v1/knowledge-bases/${hidden.id}/grants/${member}`)

      expect(before).not.toContain('Board')
      expect(granted).toContain('Board')
      expect(chosenThen).toEqual(['Keys'])
      expect(await basesOf(all)).not.toContain('Board')
    },
  )

  test('an archived base is no longer read, and a tool without any base is told what to do', async () => {
    const both = await tokenFor(chosen(keys, pay))
    const one = await tokenFor(chosen(pay))
    await citewell.json('POST', `/api/v1/knowledge-bases/${pay.id}/archive`)
    const [left, none] = [await basesOf(both), await knock(portal, one)]
    await citewell.json('POST', `/api/v1/knowledge-bases/${pay.id}/restore`)

    expect(left).toEqual(['Keys'])
    expect(none.status).toBe(403)
    expect(await none.json()).toMatchObject({ error: expect.stringContaining('/account/connected-tools') })
    expect((await knock(portal, one)).status).toBe(200)
  })

  verifies('mcp.permissions-at-once', 'a member who has left is refused', async () => {
    const own = await makeMember(citewell, workspaceId)
    const { tokens } = await connectAsMember(citewell, await openMemberBrowser(citewell, own), portal, {
      all: ['yes'],
    })
    const before = (await knock(portal, tokens.access_token)).status
    await citewell.json('DELETE', `/api/v1/workspaces/${workspaceId}/members/${own}`)

    // It was their last workspace: all their tools are disconnected.
    expect([before, (await knock(portal, tokens.access_token)).status]).toEqual([200, 401])
  })
})
