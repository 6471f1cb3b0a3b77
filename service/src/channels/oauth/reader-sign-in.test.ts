import { createHash, randomBytes } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

const REDIRECT = 'http://127.0.0.1:43117/callback'

let outside: OAuth2Server
let citewell: TestService
let server: string

async function makeServer(name: string, signIn: 'public' | 'api_key' = 'public') {
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
    name: `Base of ${name}`,
  })
  await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
    server_name: name,
    sign_in_type: signIn,
  })
  return { address: `${citewell.address}/mcp/${name}`, id: base.id }
}

beforeAll(async () => {
  outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  const { port } = outside.address()
  outside.issuer.url = `http://127.0.0.1:${port}`
  citewell = await startTestService({
    CITEWELL_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
    CITEWELL_OIDC_NAME: 'Example ID',
  })
  server = (await makeServer('acme-readers')).address
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await outside.stop()
})

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

async function register(fields: Record<string, unknown> = {}): Promise<Response> {
  return await outsideRequest(`${citewell.address}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test tool', redirect_uris: [REDIRECT], ...fields }),
  })
}

async function registered(): Promise<string> {
  return ((await (await register()).json()) as { client_id: string }).client_id
}

function authorization(clientId: string, fields: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL(`${citewell.address}/authorize`)
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'mcp',
    state: 'state-of-the-tool',
    resource: server,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...fields,
  }).toString()
  return { url, verifier }
}

const tokensFor = async (clientId: string, code: string, verifier: string, resource = server) =>
  await outsideRequest(
    `${citewell.address}/token`,
    form({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      resource,
    }),
  )

/** The whole way of a reader, from a tool that registers itself to its tokens. */
async function connect(resource = server, browser = openScriptedBrowser()) {
  const clientId = await registered()
  const { url, verifier } = authorization(clientId, { resource })
  const consent = await browser.go(url, [REDIRECT])
  const back = await browser.press(consent, 'Connect', [REDIRECT])
  const code = back.url.searchParams.get('code') ?? ''
  const tokens = (await (await tokensFor(clientId, code, verifier, resource)).json()) as {
    access_token: string
    refresh_token: string
    expires_in: number
    token_type: string
  }
  return { clientId, consent, back, code, verifier, tokens, browser }
}

const list = async (address: string, token: string | undefined) =>
  await outsideRequest(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  })

describe('a tool finds out where to sign in', () => {
  verifies(
    ['mcp.challenge', 'mcp.oauth'],
    'by the challenge of a 401, and by the well-known address',
    async () => {
      const refused = await list(server, undefined)
      const challenge = refused.headers.get('www-authenticate') ?? ''
      const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
      const resource = (await (await outsideRequest(address)).json()) as Record<string, unknown>
      const issuer = (await (
        await outsideRequest(`${citewell.address}/.well-known/oauth-authorization-server`)
      ).json()) as Record<string, unknown>

      expect(refused.status).toBe(401)
      expect(challenge).toContain('scope="mcp"')
      expect(address).toBe(`${citewell.address}/.well-known/oauth-protected-resource/mcp/acme-readers`)
      expect(resource).toMatchObject({
        resource: server,
        authorization_servers: [citewell.address],
        scopes_supported: ['mcp'],
      })
      expect(issuer).toMatchObject({
        issuer: citewell.address,
        authorization_endpoint: `${citewell.address}/authorize`,
        token_endpoint: `${citewell.address}/token`,
        registration_endpoint: `${citewell.address}/register`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
    },
  )

  test('without what an internal base is called', async () => {
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
      name: 'Project Bluebird',
      type: 'internal',
    })
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
      server_name: 'inside-only',
      sign_in_type: 'internal',
    })
    const told = await outsideRequest(
      `${citewell.address}/.well-known/oauth-protected-resource/mcp/inside-only`,
    )

    expect(told.status).toBe(200)
    expect(await told.text()).not.toContain('Bluebird')
  })

  test('nowhere for a server that takes keys, and for one that is not there', async () => {
    await makeServer('acme-keys', 'api_key')
    const wellKnown = `${citewell.address}/.well-known/oauth-protected-resource/mcp`
    const answers = await Promise.all([
      outsideRequest(`${wellKnown}/acme-keys`),
      outsideRequest(`${wellKnown}/nothing-here`),
    ])

    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })
})

describe('a reader signs in', () => {
  verifies(
    'authentication.mcp-public',
    'after a page that names the tool, where its answer goes, and the server',
    async () => {
      const { consent, back, tokens } = await connect()

      expect(consent.url.pathname).toMatch(/^\/connect\//)
      expect(consent.html).toContain('Test tool')
      expect(consent.html).toContain('127.0.0.1:43117')
      expect(consent.html).toContain('Base of acme-readers')
      expect(consent.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(back.url.searchParams.get('state')).toBe('state-of-the-tool')
      expect(back.url.searchParams.get('iss')).toBe(citewell.address)
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
      expect((await list(server, tokens.access_token)).status).toBe(200)
    },
  )

  test('once: another tool asks for consent again, and not for the provider', async () => {
    const { browser } = await connect()
    const clientId = await registered()
    const consent = await browser.go(authorization(clientId).url, [REDIRECT])

    expect(consent.html).toContain('You are signed in.')
    expect(consent.html).not.toContain('Example ID')
  })

  test('or says no, and the tool is told', async () => {
    const browser = openScriptedBrowser()
    const consent = await browser.go(authorization(await registered()).url, [REDIRECT])
    const back = await browser.press(consent, 'Do not connect', [REDIRECT])

    expect(back.url.searchParams.get('error')).toBe('access_denied')
    expect(back.url.searchParams.get('code')).toBeNull()
  })
})

verifies('mcp.public-no-restricted', 'a reader who signed in never finds a restricted page', async () => {
  const made = await makeServer('half-open')
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${made.id}/sources`, {
    name: 'Handbook',
    type: 'push',
    config: {},
  })
  const page = (id: string, word: string, visibility: string) => ({
    external_id: id,
    title: `Keys ${id}`,
    url: `https://docs.example.com/${id}`,
    markdown: `# Keys\n\nKeys are rotated by the ${word} procedure.`,
    visibility,
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [page('open', 'marigold', 'public'), page('closed', 'heliotrope', 'restricted')],
  })
  const { tokens } = await connect(made.address)
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(made.address), { requestInit: { headers } }))
  const found = await client.callTool({ name: 'search_docs', arguments: { query: 'how are keys rotated' } })
  const asked = await client.callTool({
    name: 'ask_question',
    arguments: { question: 'How are keys rotated?' },
  })
  const sources = await client.callTool({ name: 'list_sources', arguments: {} })
  await client.close()

  expect(JSON.stringify(found)).toContain('marigold')
  expect(JSON.stringify([found, asked, sources])).not.toContain('heliotrope')
  expect(sources.structuredContent).toMatchObject({ sources: [{ document_count: 1 }] })
})

describe('tokens', () => {
  test('are good for one server only, and an outside provider’s for none', async () => {
    const other = await makeServer('other-readers')
    const { tokens } = await connect()
    const outsideToken = await outside.issuer.buildToken()
    const answers = await Promise.all([
      list(other.address, tokens.access_token),
      list(`${citewell.address}/mcp`, tokens.access_token),
      list(server, outsideToken),
      list(server, tokens.refresh_token),
    ])

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test('end with their server, also when another one takes its name', async () => {
    const before = await makeServer('passing-name')
    const { tokens } = await connect(before.address)
    const [record] = (
      await citewell.json<{ data: { id: string }[] }>(
        'GET',
        `/api/v1/knowledge-bases/${before.id}/mcp-servers`,
      )
    ).data
    const whileItStood = await list(before.address, tokens.access_token)
    await citewell.json('DELETE', `/api/v1/mcp-servers/${record?.id ?? ''}`)
    await makeServer('passing-name')

    expect(whileItStood.status).toBe(200)
    expect((await list(before.address, tokens.access_token)).status).toBe(401)
  })

  test('of refreshing turn over, and one that is used twice ends all of them', async () => {
    const { clientId, tokens } = await connect()
    const refresh = async (token: string) =>
      await outsideRequest(
        `${citewell.address}/token`,
        form({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId }),
      )
    const first = (await (await refresh(tokens.refresh_token)).json()) as typeof tokens
    const reused = await refresh(tokens.refresh_token)

    expect(first.refresh_token).not.toBe(tokens.refresh_token)
    expect(reused.status).toBe(400)
    expect(await reused.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await list(server, first.access_token)).status).toBe(401)
  })

  verifies(
    'mcp.clear-end',
    'end with their hour, and are made anew for the token of refreshing',
    async () => {
      const { clientId, tokens } = await connect()
      await citewell.storage.execute(
        "update oauth_records set expires_at = now() - interval '1 second' where kind = 'AccessToken'",
      )
      const late = await list(server, tokens.access_token)
      const refreshed = await outsideRequest(
        `${citewell.address}/token`,
        form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId }),
      )
      const anew = (await refreshed.json()) as typeof tokens

      expect(late.status).toBe(401)
      expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
      expect((await list(server, anew.access_token)).status).toBe(200)
    },
  )

  test('are given for a code once, to whoever has its verifier', async () => {
    const browser = openScriptedBrowser()
    const clientId = await registered()
    const { url, verifier } = authorization(clientId)
    const back = await browser.press(await browser.go(url, [REDIRECT]), 'Connect', [REDIRECT])
    const code = back.url.searchParams.get('code') ?? ''
    const stolen = await tokensFor(clientId, code, randomBytes(32).toString('base64url'))
    const own = await tokensFor(clientId, code, verifier)

    expect([stolen.status, own.status]).toEqual([400, 200])
    expect((await tokensFor(clientId, code, verifier)).status).toBe(400)
  })

  test('leave nothing in the database that could be used', async () => {
    const { tokens, code } = await connect()
    const dump = JSON.stringify(await citewell.rows('select * from oauth_records'))

    expect(dump).toContain('AccessToken')
    for (const secret of [tokens.access_token, tokens.refresh_token, code]) expect(dump).not.toContain(secret)
    expect(dump).not.toContain('johndoe')
  })
})

describe('tools that misbehave', () => {
  test('cannot register an address that somebody else listens at', async () => {
    const answers = await Promise.all(
      ['http://evil.example/callback', 'javascript:alert(1)', 'https://ok.example/#fragment'].map(
        async (uri) => (await register({ redirect_uris: [uri] })).status,
      ),
    )

    const asWeb = await register({ application_type: 'web', redirect_uris: ['http://evil.example/callback'] })

    expect([...answers, asWeb.status]).toEqual([400, 400, 400, 400])
    expect(await asWeb.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  test('are not sent anywhere when the address is not theirs, or PKCE is missing', async () => {
    const browser = openScriptedBrowser()
    const clientId = await registered()
    const foreign = await browser.go(
      authorization(clientId, { redirect_uri: 'https://evil.example/' }).url,
      [],
    )
    const plain = await browser.go(authorization(clientId, { code_challenge_method: 'plain' }).url, [
      REDIRECT,
    ])
    const unknown = await browser.go(
      authorization(clientId, { resource: 'https://evil.example/mcp/x' }).url,
      [REDIRECT],
    )

    expect(foreign.response.status).toBe(400)
    expect(foreign.response.headers.get('location')).toBeNull()
    expect(foreign.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(plain.url.searchParams.get('error')).toBe('invalid_request')
    expect(unknown.url.searchParams.get('error')).toBe('invalid_target')
  })

  test('cannot have a consent page pressed by another site, or the way back taken by another browser', async () => {
    const browser = openScriptedBrowser()
    const consent = await browser.go(authorization(await registered()).url, [REDIRECT])
    const forged = await browser.request(
      consent.url,
      form({ decision: 'allow', provider: 'oidc', csrf: 'x' }),
    )
    const stranger = await openScriptedBrowser().request(consent.url)
    const onItsWay = await browser.press(consent, 'Connect with', [`${outside.issuer.url ?? ''}/authorize`])
    const state = onItsWay.url.searchParams.get('state') ?? ''
    const taken = await openScriptedBrowser().request(
      `${citewell.address}/connect/back/oidc?state=${state}&code=x`,
    )

    expect([forged.status, stranger.status, taken.status]).toEqual([403, 400, 400])
  })
})
