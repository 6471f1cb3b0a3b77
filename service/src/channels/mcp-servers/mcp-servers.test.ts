import { RESERVED_SERVER_NAMES } from '@citewell/contract/closed-lists'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIGN_IN_PROVIDER } from '../../../test/open-composed.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { openTestRooms } from '../../../test/test-rooms.ts'
import { openPostgresStorage } from '../../platform/storage/storage.ts'
import { createMcpCalls } from './mcp-servers.ts'
import { serverNames } from './server-names.ts'

let team: TestManagement

beforeAll(async () => {
  team = await openTestManagement()
})
afterAll(() => team.close())

const makeBase = (type: 'external' | 'internal' = 'external', name = 'Acme docs') =>
  team.ask<{ id: string }>('POST', '/knowledge-bases', { name, type })
const pathOf = (base: { id: string }) => `/knowledge-bases/${base.id}/mcp-servers`
const claim = (base: { id: string }, server_name: unknown, sign_in_type: unknown = 'api_key') =>
  team.send('POST', pathOf(base), { server_name, sign_in_type })
const namesOf = async (base: { id: string }) => {
  const { body } = await team.send('GET', pathOf(base))
  return (body['data'] as { server_name: string }[]).map(({ server_name }) => server_name)
}

verifies(
  [
    'mcp-servers.create',
    'mcp-servers.record',
    'mcp-servers.address',
    'mcp-servers.list',
    'mcp-servers.delete',
  ],
  'a server is created, listed and deleted, and then its name is free',
  async () => {
    const base = await makeBase()
    const made = await claim(base, 'acme-docs')

    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      knowledge_base_id: base.id,
      server_name: 'acme-docs',
      sign_in_type: 'api_key',
      url: 'https://answers.example.com/mcp/acme-docs',
      notice: null,
      calls: 0,
      readers: 0,
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await team.send('GET', pathOf(base))).body).toEqual({ data: [made.body], next_cursor: null })
    const removed = await team.send('DELETE', `/mcp-servers/${String(made.body['id'])}`)
    expect([removed.status, removed.body]).toEqual([204, {}])
    expect(await namesOf(base)).toEqual([])
    expect((await claim(await makeBase(), 'acme-docs')).status).toBe(201)
  },
)

verifies(
  ['mcp-servers.name-length', 'mcp-servers.name-characters', 'mcp-servers.name-reserved'],
  'an invalid server name is refused',
  async () => {
    const base = await makeBase()
    const good = ['a-b', 'abc', '123', 'a--b', 'x'.repeat(63), 'adminton', 'my-api']
    const bad = [
      'ab',
      'x'.repeat(64),
      '',
      '-ab',
      'ab-',
      '---',
      'Abc',
      'a_b',
      'a.b',
      'a b',
      'bücher',
      'abc\n',
      'xn/..',
      null,
      7,
      'admin',
      'api',
      'docs',
      'support',
      'portal',
      'citewell',
      'mcp',
      'www',
    ]

    for (const name of good) expect([name, (await claim(base, name)).status]).toEqual([name, 201])
    for (const name of bad) {
      const { status, body } = await claim(base, name)
      expect([name, status]).toEqual([name, 400])
      expect(body).toMatchObject({
        code: 'BAD_REQUEST',
        details: expect.arrayContaining([expect.objectContaining({ path: 'server_name' })]),
      })
    }
    expect(RESERVED_SERVER_NAMES.toSorted()).toEqual(RESERVED_SERVER_NAMES)
  },
)

verifies(
  ['mcp-servers.external-offers', 'mcp-servers.internal-offers'],
  'a base offers only the sign-in types of its own type',
  async () => {
    const [external, internal] = [await makeBase('external'), await makeBase('internal')]
    const statusOf = async (base: { id: string }, name: string, type: string) =>
      (await claim(base, name, type)).status

    expect(await statusOf(external, 'for-keys', 'api_key')).toBe(201)
    expect(await statusOf(external, 'for-readers', 'public')).toBe(201)
    expect(await claim(external, 'for-members', 'internal')).toMatchObject({
      status: 400,
      body: { error: '"sign_in_type" must be api_key or public in an external knowledge base.' },
    })
    expect(await statusOf(internal, 'team-members', 'internal')).toBe(201)
    expect(await statusOf(internal, 'team-keys', 'api_key')).toBe(400)
    expect(await statusOf(internal, 'team-readers', 'public')).toBe(400)
    expect(await statusOf(external, 'for-nobody', 'none')).toBe(400)
  },
)

verifies('mcp-servers.fixed', 'the name and sign-in type of a server cannot be changed', async () => {
  const base = await makeBase()
  const { body } = await claim(base, 'stays-as-it-is')
  const path = `/mcp-servers/${String(body['id'])}`

  for (const change of [{ server_name: 'other' }, { sign_in_type: 'public' }, {}, undefined]) {
    const refused = await team.send('PATCH', path, change)
    expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  expect(await namesOf(base)).toEqual(['stays-as-it-is'])
})

verifies(
  'mcp-servers.name-unique',
  'of fifty concurrent claims of a name, in several bases and workspaces, one succeeds',
  async () => {
    const stranger = await team.joinWorkspace()
    const { base: theirs } = await team.knowledgeBases.create(stranger, undefined, { name: 'Theirs' })
    const bases = await Promise.all([makeBase(), makeBase(), makeBase()])
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, place) => {
        const base = bases[place % 4]
        if (base !== undefined) {
          const { status, body } = await claim(base, 'wanted-by-all')
          return status === 201 ? 'won' : String(body['code'])
        }
        const given = { server_name: 'wanted-by-all', sign_in_type: 'public' as const }
        return await team.mcpServers.create(stranger, theirs.id, given).then(
          () => 'won',
          (refusal: { code: string }) => refusal.code,
        )
      }),
    )

    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'CONFLICT')).toHaveLength(49)
  },
  { timeout: 30_000, tags: ['long'] },
)

verifies(
  'mcp-servers.public-by-itself',
  'a hundred widgets that load concurrently, at two processes, get the same server',
  async () => {
    const { databaseUrl } = team.storage
    const second = databaseUrl === undefined ? undefined : await openPostgresStorage(databaseUrl)
    const other = await openTestRooms({ storage: { ...team.storage, ...second } })
    const base = { ...(await makeBase('external', 'Äcme & Co. API!')), name: 'Äcme & Co. API!' }
    const servers = await Promise.all(
      Array.from({ length: 100 }, (_, place) =>
        (place % 2 === 0 ? team : other).mcpServers.ensurePublicMcpServer(base),
      ),
    )
    await other.close()
    await second?.close()

    expect(new Set(servers.map((server) => server?.id)).size).toBe(1)
    expect(servers[0]).toMatchObject({ server_name: 'acme-co-api', sign_in_type: 'public' })
    expect(await namesOf(base)).toEqual(['acme-co-api'])

    // An existing server is used, whatever its name; a taken name gets a numeric suffix.
    const [named, twin] = [await makeBase(), await makeBase('external', 'Äcme & Co. API!')]
    await claim(named, 'chosen-by-hand', 'public')
    const ensured = await team.mcpServers.ensurePublicMcpServer({ ...named, name: 'Acme docs' })
    expect(ensured?.server_name).toBe('chosen-by-hand')
    expect((await team.mcpServers.ensurePublicMcpServer({ ...twin, name: base.name }))?.server_name).toBe(
      'acme-co-api-2',
    )
    const internal = await makeBase('internal')
    expect(await team.mcpServers.ensurePublicMcpServer({ ...internal, name: 'Team' })).toBeUndefined()
  },
  30_000,
)

verifies(
  'mcp-servers.unavailable-because',
  'the availability says whether readers may connect AI tools, and if not, why',
  async () => {
    await using withSignIn = await openTestManagement({ settings: { signInProviders: [SIGN_IN_PROVIDER] } })
    const said = async (at: TestManagement, { id }: { id: string }) => {
      const { body } = await at.send('GET', `/knowledge-bases/${id}/mcp-availability`)
      return [body['mcp_available'], body['because']]
    }
    const [external, internal] = [await makeBase('external'), await makeBase('internal')]
    expect(await said(team, external)).toEqual([false, 'sign_in_not_set_up'])
    expect(await said(team, internal)).toEqual([false, 'knowledge_base_internal'])
    await team.ask('POST', `/knowledge-bases/${external.id}/archive`)
    expect(await said(team, external)).toEqual([false, 'knowledge_base_archived'])
    const open = await withSignIn.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })
    expect(await said(withSignIn, open)).toEqual([true, null])
  },
)

verifies(
  'mcp-servers.owned',
  'the servers of a base are counted before its deletion, and deleted with it',
  async () => {
    const base = await makeBase()
    await claim(base, 'goes-with-its-base')
    const preview = await team.send('GET', `/knowledge-bases/${base.id}/deletion-preview`)

    expect(preview.body).toMatchObject({ requires_confirmation: true, counts: { mcp_servers: 1 } })
    const deleted = await team.send('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme docs' })
    expect(deleted.body).toMatchObject({ deleted: true, counts: { mcp_servers: 1 } })
    expect((await claim(await makeBase(), 'goes-with-its-base')).status).toBe(201)
  },
)

verifies(
  'mcp-servers.type-switch',
  'changing the type of a base deletes the servers that the new type does not offer',
  async () => {
    const base = await makeBase()
    await claim(base, 'before-the-switch')
    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { type: 'internal' })
    expect(await namesOf(base)).toEqual([])

    await claim(base, 'after-the-switch', 'internal')
    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { name: 'Acme team' })
    expect(await namesOf(base)).toEqual(['after-the-switch'])
    await team.ask('PATCH', `/knowledge-bases/${base.id}`, { type: 'external' })
    expect(await namesOf(base)).toEqual([])
  },
)

verifies(
  'mcp-servers.usage',
  'each hour calls are forgotten after 30 days, and readers after the retention or with zero retention: their calls stay counted',
  async () => {
    const base = await makeBase()
    const { body } = await claim(base, 'forgets-readers')
    const rows: [daysAgo: number, reader: string, calls: number][] = [
      [6, 'ada', 1],
      [6, 'ben', 2],
      [7, 'cy', 4],
      [7, 'dee', 8],
      [7, '', 16],
      [29, 'ed', 32],
      [30, 'flo', 64],
    ]
    for (const [daysAgo, reader, calls] of rows) {
      const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
      const row = { knowledge_base_id: base.id, mcp_server_id: String(body['id']), day, reader, calls }
      await team.db.insertInto('mcp_server_calls').values(row).execute()
    }
    const stored = async () => {
      const kept = await team.db
        .selectFrom('mcp_server_calls')
        .select(['reader', 'calls'])
        .where('knowledge_base_id', '=', base.id)
        .orderBy('day', 'desc')
        .orderBy('reader')
        .execute()
      return kept.map(({ reader, calls }) => `${reader} ${calls}`)
    }
    const afterTheJob = async (policy: object) => {
      await team.ask('PATCH', `/workspaces/${workspaceId}`, policy)
      await team.jobs
        .find(({ name }) => name === 'forget-mcp-calls')
        ?.handle({}, new AbortController().signal)
      const { data } = await team.ask<{ data: { calls: number; readers: number | null }[] }>(
        'GET',
        pathOf(base),
      )
      return [data[0]?.calls, data[0]?.readers, ...(await stored())]
    }
    const { workspaces } = await team.ask<{ workspaces: { id: string }[] }>('GET', '/me')
    const workspaceId = workspaces[0]?.id ?? ''

    expect(await afterTheJob({})).toEqual([63, 5, 'ada 1', 'ben 2', ' 16', 'cy 4', 'dee 8', 'ed 32'])
    expect(await afterTheJob({ retention_days: 7 })).toEqual([63, 2, 'ada 1', 'ben 2', ' 28', ' 32'])
    expect(await afterTheJob({ zero_data_retention: true })).toEqual([63, null, ' 3', ' 28', ' 32'])
    await team.ask('PATCH', `/workspaces/${workspaceId}`, {
      zero_data_retention: false,
      retention_days: null,
    })
  },
)

test('a call that cannot be counted is reported at most once a minute', async () => {
  let time = Date.now()
  const reports: string[] = []
  const calls = createMcpCalls({
    db: team.db,
    pseudonymOf: String,
    now: () => new Date(time),
    report: (_, doing) => void reports.push(doing),
  })
  // The database refuses it.
  const call = { knowledgeBaseId: 'no id', serverId: 'no id', caller: 'ada', zeroRetention: false }
  for (const after of [0, 1_000, 58_000, 2_000]) {
    time += after
    calls.count(call)
    await calls.counted()
  }
  expect(reports).toEqual(['counting an MCP call', 'counting an MCP call'])
})

test.each([
  ['Acme API', ['acme-api', 'acme-api-2']],
  ['Docs', ['docs-2', 'docs-3']],
  ['日本語', ['knowledge', 'knowledge-2']],
  ['--', ['knowledge', 'knowledge-2']],
  ['C', ['c-2', 'c-3']],
  ['x'.repeat(100), ['x'.repeat(63), `${'x'.repeat(61)}-2`]],
])('the server of a base named %s is named %j', (name, expected) => {
  const names = serverNames(name, () => 'f00d')
  expect([names.next().value, names.next().value]).toEqual(expected)
})
