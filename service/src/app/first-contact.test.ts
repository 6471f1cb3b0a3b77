import { request as httpRequest } from 'node:http'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyWith, optionalFields } from '../../test/optional-fields.ts'
import { sampleBody } from '../../test/sample-body.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

interface Made {
  id: string
  client_key: { key: string } | null
}

let citewell: TestService
let base: Made

beforeAll(async () => {
  citewell = await startTestService()
  // An older one that has nothing to answer from is not offered instead.
  await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Empty at first' })
  base = await citewell.json<Made>('POST', '/api/v1/knowledge-bases', { name: 'Secret project docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    name: 'pushed',
    type: 'push',
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Rotating keys',
        url: 'https://docs.example.com/keys',
        markdown: '# Rotating keys\n\nKeys are rotated every day at midnight by the key service.',
      },
    ],
  })
}, 120_000)
afterAll(() => citewell[Symbol.asyncDispose]())

const asReader = async (path: string, body: unknown) => {
  const response = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-key': base.client_key?.key ?? '' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text }
}

const lastFrame = (stream: string) =>
  JSON.parse(stream.trim().split('\n\n').at(-1)?.slice('data: '.length) ?? '') as Record<string, unknown>

const PUBLIC = ALL_ENDPOINTS.filter(({ caller }) => caller === 'public-key')

/** A copy in which no object has a field that is null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inside]) => inside !== null && inside !== undefined)
  return Object.fromEntries(entries.map(([name, inside]) => [name, withoutNulls(inside)]))
}

/** `fetch` does not let a test say which host it asks for. */
const asBrowser = async (path: string, headers: Record<string, string>) =>
  await new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const sent = httpRequest(new URL(path, citewell.address), { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: String(response.headers['content-type']),
          text,
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

verifies(
  'conventions.null-is-absent',
  'null for any optional field of a public body is the same as leaving it out',
  async () => {
    const query = 'How are keys rotated?'
    const user = { id: null, email: null }
    const nulls = { thread_id: null, top_k: null, group_ids: null, user: null, widget_id: null }
    for (const [path, body] of [
      ['chat', { query, ...nulls }],
      ['chat', { query, user }],
      ['search', { query, limit: null, group_ids: null, widget_id: null }],
      ['related', { query, limit: null }],
      ['form-deflect', { subject: null, body: query, form_id: null, user, group_ids: null }],
    ] as const) {
      const { status, text } = await asReader(path, body)
      expect(`${path} ${status} ${text}`).toContain(`${path} 200`)
      expect(text).not.toContain('"error"')
    }
    const { message_id: messageId } = lastFrame((await asReader('chat', { query })).text)
    const ofOpenAi = { stream: null, stream_options: null, user: null }
    for (const [path, body, status] of [
      [
        'openai/chat/completions',
        { model: base.id, messages: [{ role: 'user', content: query }], ...ofOpenAi },
        200,
      ],
      ['feedback', { message_id: messageId, rating: 'up', comment: null }, 201],
    ] as const) {
      const response = await citewell.fetch(`/api/v1/public/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${base.client_key?.key}`,
          'x-client-key': base.client_key?.key ?? '',
        },
        body: JSON.stringify(body),
      })
      expect([path, response.status, await response.text()]).toEqual([path, status, expect.any(String)])
    }
    // What is needed is needed.
    expect((await asReader('chat', { query: null })).status).toBe(400)
  },
)

verifies(
  'conventions.null-is-absent',
  'every public body means the same with null for an optional field as without the field',
  () => {
    const withBody = PUBLIC.filter(({ body }) => body !== undefined)
    const tried = withBody.flatMap((endpoint) => optionalFields(endpoint).map((path) => ({ endpoint, path })))
    expect(withBody.length).toBeGreaterThan(7)
    expect(tried.length).toBeGreaterThan(20)
    for (const { endpoint, path } of tried) {
      const meant = (given: 'null' | 'absent') => {
        const parsed = endpoint.body?.safeParse(bodyWith(sampleBody(endpoint), path, given))
        // A null that is left means the same to the code: the other test sends them.
        return {
          field: [endpoint.operationId, ...path],
          isValid: parsed?.success,
          data: withoutNulls(parsed?.data),
        }
      }
      expect(meant('null')).toEqual(meant('absent'))
      expect(meant('absent')).toMatchObject({ isValid: true })
    }
  },
)

verifies(
  'errors.said-in-words',
  'the error of a request that is not valid says what is wrong with its first fault, in words',
  async () => {
    const errorOf = async (path: string, body: unknown) =>
      (JSON.parse((await asReader(path, body)).text) as { error: string }).error
    expect(await errorOf('chat', { query: 'x'.repeat(4_001) })).toBe(
      'The question must have at most 4,000 characters.',
    )
    expect(await errorOf('chat', { query: ' ' })).toBe('The question must not be empty.')
    expect(await errorOf('chat', {})).toBe('The question is required.')
    expect(await errorOf('chat', { query: 5 })).toBe('The question must be text.')
    expect(await errorOf('chat', [])).toBe('The body must be an object.')
    expect(await errorOf('chat', { query: 'x', top_k: 0 })).toBe('"top_k" must be at least 1.')
    expect(await errorOf('chat', { query: 'x', widget_id: 'x' })).toBe('"widget_id" must be an id (a UUID).')
    expect(await errorOf('chat', { query: 'x', user: { id: 'x'.repeat(201) } })).toBe(
      'The id of the user must have at most 200 characters.',
    )
    expect(await errorOf('search', { query: 'x', limit: 51 })).toBe('"limit" must be at most 50.')
    expect(await errorOf('search', { query: 'x', limit: 1.5 })).toBe('"limit" must be a whole number.')
    expect(await errorOf('form-deflect', { body: 'x'.repeat(100_000) })).toMatch(
      /^The text must have at most/,
    )
    const teams = await citewell.send('POST', '/api/v1/knowledge-bases', { name: 'Acme', type: 'open' })
    expect(await teams.json()).toMatchObject({ error: '"type" must be one of "external", "internal".' })
  },
)

verifies(
  'knowledge-bases.external-again',
  'a base that turns external gets the client key and the widget that it lacks, and gives them back once',
  async () => {
    const { id } = await citewell.json<Made>('POST', '/api/v1/knowledge-bases', {
      name: 'Handbook',
      type: 'internal',
    })
    const turn = async (type: string) =>
      await citewell.json<Partial<Made> & { widget?: { name: string } }>(
        'PATCH',
        `/api/v1/knowledge-bases/${id}`,
        { type },
      )
    const opened = await turn('external')
    expect(opened).toMatchObject({
      client_key: { kind: 'public', status: 'live' },
      widget: { name: 'Handbook' },
    })
    expect(await turn('external')).not.toHaveProperty('client_key')
    await turn('internal')
    const again = await turn('external')
    // The ended key stays ended; the widget was kept.
    expect(again.client_key?.key).toMatch(/^cw_pk_/)
    expect(again.client_key?.key).not.toBe(opened.client_key?.key)
    expect(again).not.toHaveProperty('widget')
    await citewell.json('PATCH', `/api/v1/knowledge-bases/${id}`, { type: 'internal' })
  },
)

verifies(
  'mcp-servers.no-provider-told',
  'a Public server that nobody can sign in to says so when it is made, and where it is called',
  async () => {
    const path = `/api/v1/knowledge-bases/${base.id}/mcp-servers`
    const made = await citewell.json<{ notice: string }>('POST', path, {
      server_name: 'first-contact',
      sign_in_type: 'public',
    })
    expect(made.notice).toContain('CITEWELL_GOOGLE_CLIENT_ID')
    const other = { server_name: 'by-key-here', sign_in_type: 'api_key' }
    expect(await citewell.json('POST', path, other)).toMatchObject({ notice: null })
    const called = await citewell.fetch('/mcp/first-contact', { method: 'POST' })
    expect(called.status).toBe(503)
    expect(await called.json()).toMatchObject({
      code: 'UNAVAILABLE',
      retryable: false,
      error: expect.stringContaining('not set up') as string,
    })
  },
)

test('a browser on this machine can ask the first knowledge base, and nobody else learns that there is one', async () => {
  const { host } = new URL(citewell.address)
  const page = await citewell.fetch('/')
  const text = await page.text()
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).toContain('Secret project docs')
  expect(text).not.toContain('Empty at first')
  const strangers = [
    { host: 'rebound.example.com' },
    { host, 'x-forwarded-for': '203.0.113.7' },
    { host, forwarded: 'for=203.0.113.7' },
    { host, via: '1.1 proxy' },
  ]
  for (const headers of strangers) {
    const told = await asBrowser('/', headers)
    expect(told.status).toBe(200)
    expect(told.text).toContain('/account')
    expect(told.text).not.toMatch(/Secret|cw_pk_|<form/)
  }

  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const ask = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    await citewell.fetch('/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const answered = await ask({ csrf, query: 'How are keys rotated?' })
  expect(answered.status).toBe(200)
  const answer = await answered.text()
  expect(answer).toContain('Keys are rotated every day at midnight')
  expect(answer).toContain('href="https://docs.example.com/keys')
  expect((await ask({ csrf: 'other', query: 'x' })).status).toBe(403)
  expect((await ask({ csrf, query: 'x' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const empty = await ask({ csrf, query: ' ' })
  expect(empty.status).toBe(400)
  expect(await empty.text()).toContain('The question must not be empty.')
  expect((await ask({ csrf, query: 'x' }, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(405)
}, 60_000)

test('an address that there is not is a page for a browser, and JSON for a program', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const page = await citewell.fetch('/nowhere', { headers: { accept } })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await page.text()).toContain('<a href="/">')
  for (const [path, headers] of [
    ['/nowhere', {}],
    ['/nowhere', { accept: '*/*' }],
    ['/api/v1/nowhere', { accept }],
    ['/api', { accept }],
    ['/mcp/x/y', { accept }],
    ['/.well-known/x', { accept }],
  ] as const) {
    const response = await citewell.fetch(path, { headers })
    expect([path, response.status]).toEqual([path, 404])
    expect(response.headers.get('content-type')).toBe('application/json')
  }
  expect(
    (await citewell.fetch('/nowhere', { method: 'POST', headers: { accept } })).headers.get('content-type'),
  ).toBe('application/json')
  const icon = await citewell.fetch('/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await (await citewell.fetch('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n')
})

test('a service with a public address has no form at its first page, whoever asks', async () => {
  await using hosted = await startTestService({ CITEWELL_PUBLIC_URL: 'https://docs.example.com' })
  await hosted.json('POST', '/api/v1/knowledge-bases', { name: 'Secret project docs' })
  expect(await (await hosted.fetch('/')).text()).not.toMatch(/Secret|cw_pk_|<form|npx/)
}, 60_000)
