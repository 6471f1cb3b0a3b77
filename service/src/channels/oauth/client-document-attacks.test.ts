import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'
import { isDocumentAddress } from './client-metadata.ts'

interface Page {
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: (address: string) => string
  /** Stops responding after part of the body. */
  hangs?: boolean
}

const usual = getCACertificates('default')
let site: Server
let origin: string
let world: ReaderWorld
let server: string
let pages: Record<string, Page> = {}
let asked: string[] = []

const documentOf = (address: string, fields: Record<string, unknown> = {}) =>
  JSON.stringify({ client_id: address, client_name: 'Document tool', redirect_uris: [REDIRECT], ...fields })

beforeAll(async () => {
  const pem = selfSigned(['localhost', hostname()])
  setDefaultCACertificates([...usual, pem.cert])
  site = createServer(pem, (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const page = pages[path]
    response.writeHead(page?.status ?? (page === undefined ? 404 : 200), {
      'content-type': page?.type ?? 'application/json',
      ...page?.headers,
    })
    if (page?.hangs === true) return void response.write('{')
    response.end(page?.body?.(`${origin}${path}`) ?? documentOf(`${origin}${path}`))
  })
  await new Promise<void>((listening) => site.listen(0, 'localhost', listening))
  origin = `https://localhost:${(site.address() as AddressInfo).port}`
  // Clients may be fetched only under this name, not under the addresses that it resolves to.
  world = await openReaderWorld({ CITEWELL_ALLOW_PRIVATE_NETWORK: 'localhost,127.0.0.0/8' })
  server = (await world.makeServer('documents')).address
})

afterAll(async () => {
  setDefaultCACertificates(usual)
  site.closeAllConnections()
  site.close()
  await world[Symbol.asyncDispose]()
})

/** The result of visiting with this client id: the consent page, or an error without a redirect. */
async function visit(clientId: string, redirect = REDIRECT) {
  const { url } = world.authorization(clientId, server, { redirect_uri: redirect })
  const startedAt = performance.now()
  const page = await openScriptedBrowser().go(url, [redirect])
  return {
    isAsked: page.url.pathname.startsWith('/connect/'),
    status: page.response.status,
    location: page.response.headers.get('location'),
    html: page.html,
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

describe('a client identified by a metadata document', () => {
  verifies(
    'mcp-attacks.client-documents',
    'a client with a metadata document is shown by its name, and connects',
    async () => {
      pages = { '/tool.json': {}, '/other.json': { type: 'application/cimd+json; charset=utf-8' } }
      const page = await visit(`${origin}/tool.json`)
      const other = await visit(`${origin}/other.json`)
      const { tokens } = await world.connect(server, { clientId: `${origin}/tool.json` })

      expect([page.isAsked, other.isAsked]).toEqual([true, true])
      expect(page.html).toContain('Document tool')
      expect(page.html).toMatch(/Named by<\/dt>\s*<dd>[\w.:-]+<\/dd>/)
      expect(await world.isGood(server, tokens.access_token)).toBe(true)
    },
  )

  verifies(
    'mcp-attacks.client-documents',
    'a client document is fetched once, not for each visit',
    async () => {
      pages = { '/cached.json': { headers: { 'cache-control': 'max-age=600' } } }
      asked = []
      await Promise.all(Array.from({ length: 10 }, () => visit(`${origin}/cached.json`)))

      expect(asked).toEqual(['/cached.json'])
    },
  )

  const HOSTILE: [string, Page][] = [
    ['names another client', { body: () => documentOf('https://claude.ai/client.json') }],
    ['names itself with a slash more', { body: (address) => documentOf(`${address}/`) }],
    ['names itself in capitals', { body: (address) => documentOf(address.toUpperCase()) }],
    ['names no client', { body: () => JSON.stringify({ redirect_uris: [REDIRECT] }) }],
    ['is a redirect', { status: 302, headers: { location: '/tool.json' } }],
    ['is a redirect inwards', { status: 301, headers: { location: 'http://169.254.169.254/' } }],
    ['is created', { status: 201 }],
    ['is missing', { status: 404 }],
    ['is larger than 5 kB', { body: (address) => documentOf(address, { policy: 'x'.repeat(5_200) }) }],
    ['is much larger', { body: (address) => documentOf(address, { policy: 'x'.repeat(5_000_000) }) }],
    ['is a page', { type: 'text/html' }],
    ['is plain text', { type: 'text/plain' }],
    ['is a script', { type: 'application/javascript' }],
    ['is not JSON', { body: () => 'client_id: x' }],
    ['is a list', { body: (address) => `[${documentOf(address)}]` }],
    ['is null', { body: () => 'null' }],
    ['is nested without end', { body: () => '['.repeat(5_000) }],
    ['has a secret', { body: (address) => documentOf(address, { client_secret: 'x' }) }],
    [
      'signs with a secret',
      { body: (address) => documentOf(address, { token_endpoint_auth_method: 'client_secret_post' }) },
    ],
    [
      'signs with a shared key',
      { body: (address) => documentOf(address, { token_endpoint_auth_method: 'client_secret_jwt' }) },
    ],
    [
      'has another redirect',
      { body: (address) => documentOf(address, { redirect_uris: ['https://other.example/'] }) },
    ],
    [
      'has a hostile redirect',
      { body: (address) => documentOf(address, { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }) },
    ],
    [
      'has redirects over http',
      { body: (address) => documentOf(address, { redirect_uris: [REDIRECT, 'http://evil.example/'] }) },
    ],
    ['has no redirects', { body: (address) => documentOf(address, { redirect_uris: [] }) }],
    ['never ends', { hangs: true }],
  ]

  verifies(
    'mcp-attacks.client-documents',
    'a hostile client document is refused without a redirect',
    async () => {
      pages = Object.fromEntries(HOSTILE.map(([, page], at) => [`/hostile-${at}.json`, page]))
      const visits = await Promise.all(HOSTILE.map((_, at) => visit(`${origin}/hostile-${at}.json`)))

      expect(
        visits.map(({ isAsked, status, location }, at) => [HOSTILE[at]?.[0], isAsked, status, location]),
      ).toEqual(HOSTILE.map(([what]) => [what, false, 400, null]))
      expect(Math.max(...visits.map(({ seconds }) => seconds))).toBeLessThan(20)
    },
  )

  verifies(
    'mcp-attacks.client-documents',
    'a client id that is a private or invalid address is not fetched',
    async () => {
      const { port } = new URL(origin)
      asked = []
      pages = { '/tool.json': {}, '/tool.json?x=1': {}, '/': {} }
      const addresses = [
        // In a network that the operator allowed for documentation, but not for client documents.
        `https://127.0.0.1:${port}/tool.json`,
        `https://127.1:${port}/tool.json`,
        `https://[::1]:${port}/tool.json`,
        `https://[::ffff:127.0.0.1]:${port}/tool.json`,
        `https://2130706433:${port}/tool.json`,
        `https://${hostname()}:${port}/tool.json`,
        'https://10.0.0.1/tool.json',
        'https://192.168.0.1/tool.json',
        'https://169.254.169.254/latest/meta-data',
        'https://[fd00:ec2::254]/latest',
        'https://metadata.google.internal/x',
        `http://localhost:${port}/tool.json`,
        `${origin}/tool.json#fragment`,
        `${origin}/tool.json?x=1`,
        `${origin}/`,
        origin,
        `https://user:password@localhost:${port}/tool.json`,
        `https://user@localhost:${port}/tool.json`,
        `${origin}/x/../tool.json`,
        `${origin}/%2e%2e/tool.json`,
        `${origin}\\tool.json`,
        `${origin}/tool.json\n`,
        `${origin}/${'x'.repeat(600)}`,
        'file:///etc/passwd',
        'data:application/json,{}',
        'https:///tool.json',
      ]
      const visits = await Promise.all(addresses.map((address) => visit(address)))

      expect(
        visits.map(({ isAsked, status, location }, at) => [addresses[at], isAsked, status, location]),
      ).toEqual(addresses.map((address) => [address, false, 400, null]))
      expect(asked).toEqual([])
      // The error reveals nothing about the internal network.
      expect(new Set(visits.slice(0, 10).map(({ html }) => html)).size).toBe(1)
      expect(visits[0]?.html).not.toMatch(/127\.0\.0\.1|private|ECONN|refused/)
    },
  )

  test('other addresses in a client document, such as its keys, are not fetched when the page is shown', async () => {
    asked = []
    pages = {
      '/keys.json': {
        body: (address) =>
          documentOf(address, {
            token_endpoint_auth_method: 'private_key_jwt',
            jwks_uri: 'https://169.254.169.254/keys',
            logo_uri: `${origin}/logo.png`,
            client_uri: `${origin}/home`,
            sector_identifier_uri: `${origin}/sector`,
          }),
      },
    }
    const page = await visit(`${origin}/keys.json`)

    expect(asked).toEqual(['/keys.json'])
    expect(page.html).not.toContain('logo.png')
  })
})

test('addresses of client documents are https with a path', () => {
  const table: [string, boolean][] = [
    ['https://tool.example/client.json', true],
    ['https://tool.example/a/b', true],
    ['https://tool.example', false],
    ['https://tool.example/', false],
    ['https://tool.example/?client', false],
    ['http://tool.example/client.json', false],
    [`https://tool.example/${'x'.repeat(500)}`, false],
    ['tool', false],
  ]

  expect(table.map(([address]) => [address, isDocumentAddress(address)])).toEqual(table)
})
