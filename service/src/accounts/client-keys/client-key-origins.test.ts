import { Origin } from '@citewell/contract/fields'
import { isOriginAllowed } from '../../platform/http/cors.ts'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage })
  base = await api.makeAskable([])
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const allow = (origins: string[]) =>
  storage.db
    .updateTable('client_keys')
    .set({ allowed_origins: origins })
    .where('id', '=', base.keyId)
    .execute()

const ask = (headers: Record<string, string>, method = 'GET') =>
  api.send(`/public/knowledge-bases/${base.id}/suggested-questions`, {
    method,
    headers: { ...(method === 'GET' && { 'x-client-key': base.key }), ...headers },
  })

const ALLOWED = [
  'https://docs.example.com',
  'https://*.acme.dev',
  'http://localhost:3000',
  'https://*.ports.example:8443',
  'https://xn--bcher-kva.example',
  'http://[::1]:5173',
]

/** Origins that pages send or spoof, and whether a key with the list above allows them. */
const TRICKY: readonly [origin: string, isAllowed: boolean][] = [
  ['https://docs.example.com', true],
  ['HTTPS://Docs.Example.COM', true],
  ['https://a.acme.dev', true],
  ['https://a.b.acme.dev', true],
  ['https://my_team.acme.dev', true],
  ['http://localhost:3000', true],
  ['https://a.ports.example:8443', true],
  ['https://xn--bcher-kva.example', true],
  ['http://[::1]:5173', true],
  // A different scheme or port is a different origin.
  ['http://docs.example.com', false],
  ['https://docs.example.com:443', false],
  ['https://docs.example.com:8443', false],
  ['https://docs.example.com:4430', false],
  ['http://localhost', false],
  ['http://localhost:30000', false],
  ['https://localhost:3000', false],
  ['https://a.ports.example', false],
  ['https://a.ports.example:84430', false],
  ['http://[::1]:51730', false],
  ['http://127.0.0.1:3000', false],
  // Hosts that only look similar.
  ['https://example.com', false],
  ['https://docs.example.com.evil.io', false],
  ['https://evildocs.example.com', false],
  ['https://docs.example.com.', false],
  ['https://docs-example.com', false],
  ['https://docs.example.co', false],
  ['https://sub.docs.example.com', false],
  ['https://acme.dev', false],
  ['https://evilacme.dev', false],
  ['https://.acme.dev', false],
  ['https://a..acme.dev', false],
  ['https://a.acme.dev.', false],
  ['https://a.acme.dev.evil.io', false],
  ['https://*.acme.dev', false],
  ['https://b%C3%BCcher.example', false],
  ['https://xn--bcher-kva.example.evil.io', false],
  // Not the origin of a page.
  ['null', false],
  ['', false],
  ['https://docs.example.com/', false],
  ['https://docs.example.com@evil.io', false],
  ['https://evil.io/?https://docs.example.com', false],
  ['https://evil.io#.acme.dev', false],
  ['https://evil.io/.acme.dev', false],
  ['https://user@a.acme.dev', false],
  ['https://docs.example.com https://evil.io', false],
  ['https://docs.example.com, https://docs.example.com', false],
  ['file://', false],
  ['chrome-extension://docs.example.com', false],
]

verifies(
  ['client-keys.origins-exact', 'client-keys.origins'],
  'an origin is allowed if it matches exactly or a wildcard, and no look-alike is',
  async () => {
    await allow(ALLOWED)
    expect(TRICKY.length).toBeGreaterThanOrEqual(40)

    for (const [origin, isAllowed] of TRICKY) {
      const response = await ask({ origin })
      const body = (await response.json()) as { code?: string }
      const { headers } = response
      expect([origin, response.status, body.code ?? '', headers.get('access-control-allow-origin')]).toEqual(
        isAllowed ? [origin, 200, '', origin] : [origin, 403, 'ORIGIN_NOT_ALLOWED', null],
      )
    }
  },
)

verifies(
  'client-keys.no-origin',
  'a request without an Origin header, as servers send it, is allowed',
  async () => {
    await allow(ALLOWED)

    expect((await ask({})).status).toBe(200)
  },
)

test('a key without origins allows every page', async () => {
  await allow([])

  expect((await ask({ origin: 'https://anywhere.example' })).status).toBe(200)
})

verifies(
  'client-keys.cors',
  'an allowed page can read the answer, its rate limit headers and its request id, without credentials',
  async () => {
    await allow(ALLOWED)
    const search = (origin: string, headers: Record<string, string> = { 'x-client-key': base.key }) =>
      api.send(`/public/knowledge-bases/${base.id}/search`, {
        headers: { ...headers, origin },
        body: { query: 'keys' },
      })
    const answer = await search('https://docs.example.com')
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []

    expect(answer.status).toBe(200)
    expect(exposed).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy']),
    )
    expect(answer.headers.get('ratelimit')).toMatch(/^"search-key";r=\d+;t=\d+$/)
    expect(answer.headers.get('x-request-id')).toMatch(/^\S+$/)
    const withoutKey = await search('https://docs.example.com', { 'x-client-key': 'mistyped' })
    const answers = [answer, withoutKey, await search('https://evil.io'), await ask({})]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 200])
    for (const { headers } of answers) {
      expect(headers.get('vary')).toBe('Origin')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-allow-origin')).not.toBe('*')
    }
  },
)

verifies(
  'client-keys.preflight',
  'a preflight is answered without a key and without a query to the storage',
  async () => {
    const forbidden = new Proxy(storage.db, {
      get: (_, name) => {
        throw new Error(`A preflight used the storage (${String(name)}).`)
      },
    })
    await using blind = await startPublicApi({ storage: { ...storage, db: forbidden } })
    const response = await blind.send(`/public/knowledge-bases/${base.id}/search`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://docs.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-client-key',
      },
    })

    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://docs.example.com',
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase()
    expect(allowed).toContain('x-client-key')
    expect(allowed).toContain('content-type')
    // A secret does not belong in a page.
    expect(allowed).not.toContain('x-client-secret')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(blind.faults).toEqual([])
  },
)

test.each([
  ['https://Bücher.example', 'https://xn--bcher-kva.example'],
  ['https://docs.example.com/', 'https://docs.example.com'],
  ['https://docs.example.com:443', 'https://docs.example.com'],
  ['HTTP://LOCALHOST:80', 'http://localhost'],
  ['https://*.example.com:8443', 'https://*.example.com:8443'],
  ['https://user@example.com', undefined],
  ['https://example.com/docs', undefined],
  ['https://example.com?', undefined],
  ['https://*.com', undefined],
  ['https://docs.*.com', undefined],
  ['https://*', undefined],
  ['*', undefined],
  ['null', undefined],
  ['docs.example.com', 'https://docs.example.com'],
  ['file:///etc', undefined],
  ['https://example.com:99999', undefined],
  ['https://example.com.', undefined],
])('%s is stored as %s', (given, stored) => {
  expect(Origin.safeParse(given).data).toBe(stored)
})

verifies(
  'client-keys.bare-domain',
  'a domain becomes its https origin, localhost its http one, and each invalid entry is one error',
  () => {
    for (const [given, stored] of [
      ['shop.example.com', 'https://shop.example.com'],
      ['SHOP.Example.com:8443', 'https://shop.example.com:8443'],
      ['shop.example.com/', 'https://shop.example.com'],
      ['*.example.com', 'https://*.example.com'],
      ['münchen.example', 'https://xn--mnchen-3ya.example'],
      ['localhost:5173', 'http://localhost:5173'],
      ['[::1]:3000', 'http://[::1]:3000'],
    ]) {
      expect(Origin.safeParse(given).data).toBe(stored)
    }
    for (const given of [
      'shop',
      'null',
      '*',
      '*.com',
      'x.*.com',
      '.com',
      'a..b',
      'a b.com',
      '//shop.example.com',
      'shop.example.com/a',
      'shop.example.com#x',
      'shop.example.com?x',
      'shop.example.com:99999',
      'user@shop.example.com',
      'ftp://shop.example.com',
      'javascript:alert(1)',
      'data:text.html',
    ]) {
      expect([given, Origin.safeParse(given).error?.issues.length]).toEqual([given, 1])
    }
    expect(isOriginAllowed('http://shop.example.com', [Origin.parse('shop.example.com')])).toBe(false)
    expect(isOriginAllowed('https://shop.example.com', [Origin.parse('shop.example.com')])).toBe(true)
    expect(isOriginAllowed('https://evil-shop.example.com', [Origin.parse('shop.example.com')])).toBe(false)
  },
)
