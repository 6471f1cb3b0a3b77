import { verifies } from '@citewell/spec/verifies'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

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
    'are the contract’s, with schemas and read-only signs, and without get_documents while it is off',
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
    ['mcp.search', 'mcp.search-result'],
    'search finds the public page, at its section, and never the restricted one',
    async () => {
      const client = await connect()
      const found = await call(client, 'search_docs', { query: 'how are keys rotated' })
      const same = await call(client, 'search_acme_api_knowledge_sources', {
        query: 'how are keys rotated',
        limit: 1,
      })

      expect(found.data).toMatchObject({
        count: 1,
        results: [{ title: expect.stringContaining('Signing keys'), version_label: 'v2' }],
      })
      expect(found.text).toContain('https://docs.example.com/keys')
      expect(JSON.stringify([found, same])).not.toMatch(/heliotrope|Incident/)
      await client.close()
    },
  )

  test('what is asked wrongly comes back as a result that says how to ask better', async () => {
    const client = await connect()
    const tooMany = await call(client, 'search_docs', { query: 'keys', limit: 21 })
    const empty = await call(client, 'ask_question', { question: ' ' })

    expect([tooMany.isError, empty.isError]).toEqual([true, true])
    expect(tooMany.text).toContain('limit is at most 20')
    expect(empty.text).toContain('question is empty')
    await client.close()
  })

  verifies(
    'mcp.ask-question',
    'a question is answered with citations, and one that is not covered is refused',
    async () => {
      const client = await connect()
      const answered = await call(client, 'ask_question', { question: 'How often are signing keys rotated?' })
      const refused = await call(client, 'ask_question', { question: 'What is the best pizza in Naples?' })

      expect(answered.data).toMatchObject({
        covered: true,
        citations: [{ index: 1, title: 'Signing keys (v2)' }, { index: 2 }],
      })
      expect(answered.text).toContain('90 days')
      expect(answered.text).toContain('Sources:\n[1]')
      expect(refused.data).toMatchObject({ covered: false, citations: [] })
      await client.close()
    },
  )

  verifies('mcp.list-sources', 'sources are listed with the pages that can be read', async () => {
    const client = await connect()
    const { data } = await call(client, 'list_sources', {})

    expect(data).toEqual({
      sources: [
        expect.objectContaining({ name: 'Handbook', type: 'push', version_label: 'v2', document_count: 1 }),
      ],
    })
    await client.close()
  })

  verifies(
    'mcp.get-documents',
    'whole pages are given once the base allows it: indexed and public ones alone',
    async () => {
      await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, {
        settings: { mcp_documents_enabled: true },
      })
      const client = await connect()
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

  verifies('mcp.streamable-http', 'a client of the protocol before this one gets the same', async () => {
    const client = new LegacyClient({ name: 'older', version: '1' })
    await client.connect(new LegacyTransport(new URL(server), bearer(base.key)))
    const { tools } = await client.listTools()
    const found = await client.callTool({ name: 'search_docs', arguments: { query: 'rotate keys' } })

    expect(tools).toHaveLength(5)
    expect(found.structuredContent).toMatchObject({ count: 1 })
    await client.close()
  })
})

describe('who is let in', () => {
  const post = async (path: string, headers: Record<string, string> = {}) =>
    await outsideRequest(`${citewell.address}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'raw', version: '1' },
        },
      }),
    })

  verifies(
    'authentication.mcp-api-key',
    'at a server of its own only a live Bearer key of its base',
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

  verifies('mcp.generic', 'at the generic address a key in any of three places', async () => {
    const answers = await Promise.all([
      post('/mcp', { authorization: `Bearer ${base.key}` }),
      post('/mcp', { 'x-client-key': base.key }),
      post(`/mcp?client_key=${base.key}`),
      post(`/mcp?access_token=${base.key}`),
      post('/mcp'),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 401])
  })

  verifies('errors.mcp-not-enabled', 'a key without MCP access is refused by name', async () => {
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

  test('pages of other sites are turned away, tools on the same machine are not', async () => {
    const authorization = `Bearer ${base.key}`
    const answers = await Promise.all([
      post('/mcp', { authorization, origin: 'https://evil.example' }),
      post('/mcp', { authorization, origin: 'http://localhost:6274' }),
      post('/mcp', { authorization, origin: 'null' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([403, 200, 403])
  })

  verifies('client-keys.origins-not-for-mcp', 'origins of a key do not count', async () => {
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
  })

  test('an archived base is not read', async () => {
    const archived = await makeBase('Old base')
    await citewell.json('POST', `/api/v1/knowledge-bases/${archived.id}/archive`)

    expect((await post('/mcp', { authorization: `Bearer ${archived.key}` })).status).toBe(403)
  })
})

verifies(
  'mcp.key-rate',
  'everyone who uses a key shares its limit, and is told how long to wait',
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
    expect(results.at(-1)?.text).toMatch(/Try again in \d+ s\./)
    for (const client of clients) await client.close()
  },
)
