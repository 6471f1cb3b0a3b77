import { verifies } from '@citewell/spec/verifies'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initializeRequest } from '../../../test/initialize-request.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { readPagesAt } from './mcp-store.ts'

let citewell: TestService
let base: { id: string; key: string }
let server: string

interface Created {
  id: string
  client_key: { key: string }
}

async function makeBase(name: string): Promise<{ id: string; key: string }> {
  const created = await citewell.json<Created>('POST', '/api/v1/knowledge-bases', { name })
  const source = await citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${created.id}/sources`,
    {
      name: 'Handbook',
      type: 'push',
      config: {},
      version_label: 'v2',
    },
  )
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Signing keys',
        url: 'https://docs.example.com/keys',
        markdown:
          '# Signing keys\n\nKeys are rotated every 90 days.\n\n## By hand\n\nRun `acme keys rotate` to rotate a key at once.',
      },
      {
        external_id: 'secret',
        title: 'Incident handbook',
        url: 'https://docs.example.com/incidents',
        markdown: '# Incidents\n\nThe canary word is heliotrope. Keys are rotated at once.',
        visibility: 'restricted',
      },
    ],
  })
  return { id: created.id, key: created.client_key.key }
}

beforeAll(async () => {
  citewell = await startTestService()
  base = await makeBase('Acme API')
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: 'acme-tools',
    sign_in_type: 'api_key',
  })
  server = `${citewell.address}/mcp/acme-tools`
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const bearer = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function connect(address = server, headers = bearer(base.key)) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(address), headers))
  return client
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input })
  const [content] = result.content as { text: string }[]
  return { ...result, text: content?.text ?? '', data: result.structuredContent as Record<string, unknown> }
}

describe('the tools of a server', () => {
  verifies(
    ['mcp.address-decides', 'mcp.structured', 'mcp.get-documents-off'],
    'the tools are those of the contract, with schemas and read-only hints, and without get_documents while it is off',
    async () => {
      const client = await connect()
      const { tools } = await client.listTools()

      expect(tools.map(({ name }) => name)).toEqual([
        'search_acme_api_knowledge_sources',
        'search_docs',
        'ask_question',
        'list_sources',
        'feedback',
      ])
      expect(
        tools.every(({ inputSchema, outputSchema }) => inputSchema.type === 'object' && outputSchema),
      ).toBe(true)
      expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([
        true,
        true,
        true,
        true,
        false,
      ])
      await client.close()
    },
  )

  verifies(
    'mcp-servers.usage',
    'calls with a key are counted at their server, by address; those at the generic address at none',
    async () => {
      const usage = async () => {
        const path = `/api/v1/knowledge-bases/${base.id}/mcp-servers`
        const { data } = await citewell.json<{ data: { calls: number; readers: number }[] }>('GET', path)
        return data[0]
      }
      const before = (await usage())?.calls ?? 0
      for (const address of [server, server, `${citewell.address}/mcp`]) {
        const client = await connect(address)
        await call(client, 'list_sources', {})
        await client.close()
      }
      // Nobody waits for the count.
      await eventually(usage, (counted) => counted?.calls === before + 2)
      const rows = await citewell.storage.db.selectFrom('mcp_server_calls').selectAll().execute()

      expect(await usage()).toMatchObject({ calls: before + 2, readers: 1 })
      expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
    },
  )

  verifies(
    ['mcp.search', 'mcp.search-result', 'mcp.no-restricted'],
    'search_docs finds the public page, at its section, and never the restricted one',
    async () => {
      const client = await connect()
      const found = await call(client, 'search_docs', { query: 'how are keys rotated' })
      const same = await call(client, 'search_acme_api_knowledge_sources', {
        query: 'how are keys rotated',
        limit: 1,
      })

      expect(found.data).toMatchObject({
        count: 1,
        results: [
          {
            title: expect.stringContaining('Signing keys'),
            version_label: 'v2',
            content: expect.stringContaining('acme keys rotate'),
          },
        ],
      })
      expect(same.data).toEqual(found.data)
      expect(found.text).toContain('https://docs.example.com/keys')
      expect(JSON.stringify([found, same])).not.toMatch(/heliotrope|Incident/)
      await client.close()
    },
  )

  verifies(
    ['mcp.search', 'mcp.search-limit'],
    'invalid arguments are answered with a text that says how to correct them',
    async () => {
      const client = await connect()
      const { tools } = await client.listTools()
      const most = await call(client, 'search_docs', { query: 'keys', limit: 20 })
      const tooMany = await call(client, 'search_docs', { query: 'keys', limit: 21 })
      const empty = await call(client, 'ask_question', { question: ' ' })

      expect(tools[0]?.inputSchema.properties?.['limit']).toMatchObject({ default: 8, maximum: 20 })
      expect([most.isError ?? false, tooMany.isError, empty.isError]).toEqual([false, true, true])
      expect(tooMany.text).toContain('limit must be at most 20')
      expect(empty.text).toContain('question is empty')
      await client.close()
    },
  )

  verifies(
    ['mcp.ask-question', 'mcp.no-restricted'],
    'ask_question answers with citations, and refuses a question that is not covered',
    async () => {
      const client = await connect()
      const answered = await call(client, 'ask_question', { question: 'How often are signing keys rotated?' })
      const refused = await call(client, 'ask_question', { question: 'What is the best pizza in Naples?' })
      const withheld = await call(client, 'ask_question', { question: 'What is the canary word?' })

      expect(answered.data).toMatchObject({
        covered: true,
        citations: [{ index: 1, title: 'Signing keys (v2)' }],
      })
      expect(answered.text).toContain('90 days')
      expect(answered.text).toContain('Sources:\n[1]')
      expect(refused.data).toMatchObject({ covered: false, citations: [] })
      expect(JSON.stringify(withheld)).not.toMatch(/heliotrope|Incident/)
      await client.close()
    },
  )

  verifies(
    ['mcp.list-sources', 'mcp.no-restricted'],
    'list_sources lists the sources with their number of readable pages',
    async () => {
      const client = await connect()
      const { data, text } = await call(client, 'list_sources', {})

      expect(text).toBe('- Handbook (push, version v2): 1 page')
      expect(data).toEqual({
        sources: [
          expect.objectContaining({ name: 'Handbook', type: 'push', version_label: 'v2', document_count: 1 }),
        ],
      })
      await client.close()
    },
  )

  verifies(
    ['mcp.get-documents', 'mcp.get-documents-off', 'mcp.no-restricted', 'traps.get-documents'],
    'get_documents returns whole pages if the base allows it, only indexed and public ones',
    async () => {
      const urls = ['https://docs.example.com/keys']
      const early = await connect()
      await expect(early.callTool({ name: 'get_documents', arguments: { urls } })).rejects.toThrow(
        'not found',
      )
      await early.close()
      await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, {
        settings: { mcp_documents_enabled: true },
      })
      const client = await connect()
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('get_documents')
      const { data, text } = await call(client, 'get_documents', {
        urls: [
          'https://docs.example.com/keys#by-hand',
          'https://docs.example.com/incidents',
          'http://169.254.169.254/',
        ],
      })

      expect(data).toMatchObject({
        documents: [{ url: 'https://docs.example.com/keys', title: 'Signing keys', is_truncated: false }],
        not_found: ['https://docs.example.com/incidents', 'http://169.254.169.254/'],
      })
      expect(text).toContain('90 days')
      expect(text).toContain('By hand')
      await client.close()
      await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, {
        settings: { mcp_documents_enabled: false },
      })
    },
  )

  verifies(
    'mcp.get-documents-limits',
    'get_documents refuses an eleventh address, and truncates a long page at 20,000 characters',
    async () => {
      const long = await makeBase('Long pages')
      const of = `/api/v1/knowledge-bases/${long.id}`
      await citewell.json('PATCH', of, { settings: { mcp_documents_enabled: true } })
      const { data } = await citewell.json<{ data: { id: string }[] }>('GET', `${of}/sources`)
      const url = 'https://docs.example.com/long'
      const markdown = Array.from({ length: 900 }, (_, at) => `Rule ${at} of the long page says so.`)
      await citewell.json('PUT', `/api/v1/sources/${data[0]?.id}/documents`, {
        documents: [{ external_id: 'long', title: 'Long', url, markdown: markdown.join('\n\n') }],
      })
      const client = await connect(`${citewell.address}/mcp`, bearer(long.key))
      const urls = (count: number) => Array.from({ length: count }, () => url)
      const ten = await call(client, 'get_documents', { urls: urls(10) })
      const eleven = await call(client, 'get_documents', { urls: urls(11) })

      const [page] = ten.data['documents'] as { content: string; is_truncated: boolean }[]
      expect(page?.is_truncated).toBe(true)
      expect(page?.content.length).toBeGreaterThan(18_000)
      expect(page?.content.length).toBeLessThanOrEqual(20_000)
      expect(eleven.isError).toBe(true)
      await client.close()
      // Of a page that is much longer than what is shown, the rest is not read at all.
      const named = [{ spellings: [url], documentId: undefined, answerId: undefined }]
      const scope = { knowledgeBaseId: long.id, groupIds: undefined, includeRestricted: false }
      const lengthOf = async (most: number) =>
        (await readPagesAt(citewell.storage.db, scope, named, most)).reduce(
          (sum, { text }) => sum + text.length,
          0,
        )
      expect(await lengthOf(100)).toBeLessThan(5_000)
      expect(await lengthOf(20_000)).toBeGreaterThan(30_000)
    },
  )

  verifies(
    'mcp.streamable-http',
    'a client of the earlier protocol version gets the same results',
    async () => {
      const client = new LegacyClient({ name: 'older', version: '1' })
      await client.connect(new LegacyTransport(new URL(server), bearer(base.key)))
      const { tools } = await client.listTools()
      const found = await client.callTool({ name: 'search_docs', arguments: { query: 'rotate keys' } })

      expect(tools).toHaveLength(5)
      expect(found.structuredContent).toMatchObject({ count: 1 })
      await client.close()
    },
  )
})

describe('authentication', () => {
  const post = async (path: string, headers: Record<string, string> = {}) =>
    await outsideRequest(`${citewell.address}${path}`, initializeRequest(headers))

  verifies(
    ['authentication.mcp-api-key', 'mcp-servers.address'],
    '/mcp/<server_name> accepts only a live Bearer key of its base',
    async () => {
      const other = await makeBase('Another base')
      const answers = await Promise.all([
        post('/mcp/acme-tools'),
        post('/mcp/acme-tools', { 'x-client-key': base.key }),
        post(`/mcp/acme-tools?client_key=${base.key}`),
        post('/mcp/acme-tools', { authorization: `Bearer ${other.key}` }),
        post('/mcp/acme-tools', { authorization: 'Bearer cw_pk_wrong' }),
        post('/mcp/nothing-here', { authorization: `Bearer ${base.key}` }),
        post('/mcp/acme-tools/', { authorization: `Bearer ${base.key}` }),
      ])

      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 404, 200])
      expect(answers[0]?.headers.get('www-authenticate')).toMatch(/^Bearer /)
    },
  )

  verifies('mcp.generic', 'the generic address accepts a key in any of three places', async () => {
    const answers = await Promise.all([
      post('/mcp', { authorization: `Bearer ${base.key}` }),
      post('/mcp', { 'x-client-key': base.key }),
      post(`/mcp?client_key=${base.key}`),
      post(`/mcp?access_token=${base.key}`),
      post('/mcp'),
    ])

    const generic = (await answers[4]?.json()) as { error: string }
    const ofServer = (await (await post('/mcp/acme-tools')).json()) as { error: string }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 401])
    expect(generic.error).toMatch(/any client key with MCP access.*Bearer.*X-Client-Key.*client_key=/)
    expect(ofServer.error).toContain('a client key of this knowledge base')
  })

  verifies('errors.mcp-not-enabled', 'a key without MCP access is refused with its own code', async () => {
    const { key } = await citewell.json<{ key: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/client-keys`,
      {
        name: 'Widget only',
        kind: 'public',
        allow_mcp_access: false,
      },
    )
    const refused = await post('/mcp', { authorization: `Bearer ${key}` })

    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'MCP_NOT_ENABLED' })
  })

  test('pages of other sites are refused, tools on the same machine are not', async () => {
    const authorization = `Bearer ${base.key}`
    const answers = await Promise.all([
      post('/mcp', { authorization, origin: 'https://evil.example' }),
      post('/mcp', { authorization, origin: 'http://localhost:6274' }),
      post('/mcp', { authorization, origin: 'null' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([403, 200, 403])
  })

  verifies(
    'client-keys.origins-not-for-mcp',
    'the allowed origins of a key do not apply to MCP',
    async () => {
      const { key } = await citewell.json<{ key: string }>(
        'POST',
        `/api/v1/knowledge-bases/${base.id}/client-keys`,
        {
          name: 'For the site',
          kind: 'public',
          allowed_origins: ['https://docs.example.com'],
        },
      )
      const authorization = `Bearer ${key}`
      const answers = await Promise.all([
        post('/mcp', { authorization, origin: 'http://localhost:6274' }),
        post('/mcp', { authorization, origin: 'https://docs.example.com' }),
      ])

      expect(answers.map(({ status }) => status)).toEqual([200, 403])
    },
  )

  verifies('mcp.closed-bases', 'an archived or deleted base is refused', async () => {
    const closed = await makeBase('Old base')
    const path = `/api/v1/knowledge-bases/${closed.id}`
    await citewell.json('POST', `${path}/mcp-servers`, { server_name: 'old-tools', sign_in_type: 'api_key' })
    const statuses = async () => {
      const authorization = `Bearer ${closed.key}`
      const answers = [await post('/mcp', { authorization }), await post('/mcp/old-tools', { authorization })]
      return answers.map(({ status }) => status)
    }

    expect(await statuses()).toEqual([200, 200])
    await citewell.json('POST', `${path}/archive`)
    expect(await statuses()).toEqual([403, 403])
    await citewell.json('DELETE', path, { confirm: 'Old base' })
    expect(await statuses()).toEqual([401, 404])
  })
})

verifies(
  'mcp.key-rate',
  'all users of a key share its limit, and the refusal says how long to wait',
  async () => {
    await using limited = await startTestService({
      CITEWELL_RATE_LIMITS: 'on',
      CITEWELL_RATE_LIMIT_SEARCH_PER_KEY: '3',
    })
    const created = await limited.json<Created>('POST', '/api/v1/knowledge-bases', { name: 'Acme API' })
    const clients = await Promise.all(
      [1, 2].map(async () => await connect(`${limited.address}/mcp`, bearer(created.client_key.key))),
    )
    const results = []
    for (const client of [...clients, ...clients])
      results.push(await call(client, 'search_docs', { query: 'keys' }))

    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false, false, true])
    expect(results.at(-1)?.text).toMatch(/^Left: 0 of 3 calls of this minute\. .* Try again in \d+ s\.$/)
    expect(results[1]).toMatchObject({
      _meta: { 'citewell/limits': [{ name: 'search-key', limit: 3, remaining: 1 }] },
    })
    // The same limit as on the public API.
    const overHttp = await limited.fetch(`/api/v1/public/knowledge-bases/${created.id}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-key': created.client_key.key },
      body: JSON.stringify({ query: 'keys' }),
    })
    expect(overHttp.status).toBe(429)
    for (const client of clients) await client.close()
  },
  { tags: ['long'] },
)
