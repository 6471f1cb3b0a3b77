import { verifies } from '@citewell/spec/verifies'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import {
  openReaderWorld,
  REDIRECT,
  type ReaderWorld,
  type Tokens,
} from '../../../test/reader-sign-in-world.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'

let world: ReaderWorld
let citewell: ReaderWorld['citewell']
let server: string

beforeAll(async () => {
  world = await openReaderWorld()
  citewell = world.citewell
  server = (await world.makeServer('acme-readers')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('discovery of the sign-in by a tool', () => {
  verifies(
    ['mcp.challenge', 'mcp.oauth'],
    'a tool discovers the authorization server by the challenge of a 401, and by the well-known address',
    async () => {
      const refused = await world.ask(server, undefined)
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

  test('the metadata does not contain the name of an internal base', async () => {
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

  test('a server with keys, and an unknown server, have no sign-in metadata', async () => {
    await world.makeServer('acme-keys', 'api_key')
    const wellKnown = `${citewell.address}/.well-known/oauth-protected-resource/mcp`
    const answers = await Promise.all([
      outsideRequest(`${wellKnown}/acme-keys`),
      outsideRequest(`${wellKnown}/nothing-here`),
    ])

    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })
})

describe('sign-in of a reader', () => {
  verifies(
    'authentication.mcp-public',
    'a reader signs in after a page that shows the tool, where its answer goes, and the server',
    async () => {
      const browser = openScriptedBrowser()
      const clientId = await world.registered()
      const { url, verifier } = world.authorization(clientId, server)
      const consent = await browser.go(url, [REDIRECT])
      const back = await browser.press(consent, 'Connect', [REDIRECT])
      const given = await world.token({
        grant_type: 'authorization_code',
        code: back.url.searchParams.get('code') ?? '',
        client_id: clientId,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        resource: server,
      })
      const tokens = (await given.json()) as Tokens

      expect(consent.url.pathname).toMatch(/^\/connect\//)
      expect(consent.html).toContain('Test tool')
      expect(consent.html).toContain('127.0.0.1:43117')
      expect(consent.html).toContain('Base of acme-readers')
      expect(consent.response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(back.url.searchParams.get('state')).toBe('state-of-the-tool')
      expect(back.url.searchParams.get('iss')).toBe(citewell.address)
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
      expect(await world.isGood(server, tokens.access_token)).toBe(true)
    },
  )

  test('a second tool asks for consent again, but not for the provider', async () => {
    const { browser } = await world.connect(server)
    const { url } = world.authorization(await world.registered(), server)
    const consent = await browser.go(url, [REDIRECT])

    expect(consent.html).toContain('You are signed in.')
    expect(consent.html).not.toContain('Example ID')
  })

  test('if the reader denies, the tool gets an error', async () => {
    const browser = openScriptedBrowser()
    const { url } = world.authorization(await world.registered(), server)
    const consent = await browser.go(url, [REDIRECT])
    const back = await browser.press(consent, 'Do not connect', [REDIRECT])

    expect(back.url.searchParams.get('error')).toBe('access_denied')
    expect(back.url.searchParams.get('code')).toBeNull()
  })
})

verifies('mcp.public-no-restricted', 'a reader who signed in never finds a restricted page', async () => {
  const made = await world.makeServer('half-open')
  const source = await citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${made.baseId}/sources`,
    {
      name: 'Handbook',
      type: 'push',
      config: {},
    },
  )
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
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${made.baseId}`, {
    settings: { mcp_documents_enabled: true },
  })
  const { tokens } = await world.connect(made.address)
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(made.address), { requestInit: { headers } }))
  const found = await client.callTool({ name: 'search_docs', arguments: { query: 'how are keys rotated' } })
  const asked = await client.callTool({
    name: 'ask_question',
    arguments: { question: 'How are keys rotated?' },
  })
  const sources = await client.callTool({ name: 'list_sources', arguments: {} })
  const urls = ['open', 'closed'].map((id) => `https://docs.example.com/${id}`)
  const documents = await client.callTool({ name: 'get_documents', arguments: { urls } })
  await client.close()

  expect(JSON.stringify(found)).toContain('marigold')
  expect(JSON.stringify(documents)).toContain('marigold')
  expect(JSON.stringify([found, asked, sources, documents])).not.toContain('heliotrope')
  expect(sources.structuredContent).toMatchObject({ sources: [{ document_count: 1 }] })
})

verifies(
  'mcp.clear-end',
  'access tokens expire after an hour, and are renewed with the refresh token',
  async () => {
    const { clientId, tokens } = await world.connect(server)
    await citewell.storage.execute(
      "update oauth_records set expires_at = now() - interval '1 second' where kind = 'AccessToken'",
    )
    const late = await world.ask(server, tokens.access_token)
    const refreshed = await world.refresh(clientId, tokens.refresh_token)
    const anew = (await refreshed.json()) as Tokens

    expect(late.status).toBe(401)
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await world.isGood(server, anew.access_token)).toBe(true)
  },
)
