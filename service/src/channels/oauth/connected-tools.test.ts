import { verifies } from '@citewell/spec/verifies'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beginConnecting,
  connectAsMember,
  knock,
  makeMember,
  openMemberBrowser,
  TOOL_REDIRECT,
  type MemberBrowser,
} from '../../../test/connect-as-member.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Tool {
  id: string
  client_name: string
  url: string
  knowledge_base_ids: string[] | null
  last_used_at: string | null
}

let outside: OAuth2Server
let citewell: TestService
let portal: string
let page: string
let owner: string
let workspaceId: string
let browser: MemberBrowser
let first: string
let second: string

beforeAll(async () => {
  outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  outside.issuer.url = `http://127.0.0.1:${outside.address().port}`
  citewell = await startTestService({
    CITEWELL_MCP_WEB_CLIENT_HOSTS: 'allowed.example, Other.Example:8443',
    CITEWELL_OIDC_ISSUER: outside.issuer.url,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
    CITEWELL_OIDC_NAME: 'Example ID',
  })
  portal = `${citewell.address}/mcp/portal`
  page = `${citewell.address}/account/connected-tools`
  const me = await citewell.json<{ user: { id: string }; workspaces: { id: string }[] }>('GET', '/api/v1/me')
  owner = me.user.id
  workspaceId = me.workspaces[0]?.id ?? ''
  const make = async (name: string) =>
    (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })).id
  first = await make('First base')
  second = await make('Second base')
  browser = await openMemberBrowser(citewell, owner)
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await outside.stop()
})

const list = async () => (await citewell.json<{ data: Tool[] }>('GET', '/api/v1/me/connected-tools')).data
const connect = async (ticked: Record<string, readonly string[]> = { base: [first] }) => {
  const { tokens, refresh } = await connectAsMember(citewell, browser, portal, ticked)
  const tool = (await list()).at(-1)
  return { token: tokens.access_token, refresh: () => refresh(tokens.refresh_token), id: tool?.id ?? '' }
}
const statusOf = async (token: string) => (await knock(portal, token)).status
const readableWith = async (token: string) => {
  const response = await fetchTool(token)
  return await response.text()
}
const fetchTool = (token: string) =>
  citewell.fetch('/mcp/portal', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'list_knowledge_bases', arguments: {} },
    }),
  })

describe('a member', () => {
  verifies(
    ['connected-tools.list', 'connected-tools.last-used'],
    'sees the tools that they have connected, and nobody else’s',
    async () => {
      const { id, token } = await connect()
      const before = (await list()).find((tool) => tool.id === id)
      await knock(portal, token)
      const used = (await list()).find((tool) => tool.id === id)?.last_used_at
      await knock(portal, token)
      const again = (await list()).find((tool) => tool.id === id)?.last_used_at
      const shown = await browser.go(page, [])
      const other = await openMemberBrowser(citewell, await makeMember(citewell, workspaceId, 'admin'))
      const foreign = await other.go(page, [])
      const foreignTool = await other.go(`${page}/${id}`, [])

      expect(before).toMatchObject({
        client_name: 'Test tool',
        url: portal,
        knowledge_base_ids: [first],
        last_used_at: null,
      })
      expect(Date.parse(used ?? '')).toBeGreaterThan(Date.now() - 60_000)
      expect(again).toBe(used)
      expect(shown.html).toContain('Test tool')
      expect(shown.html).toContain('First base')
      expect(foreign.html).toContain('You have connected none.')
      expect(foreignTool.response.status).toBe(404)
    },
  )

  verifies(
    'connected-tools.revoke',
    'disconnects a tool on the page, which is out at its next request',
    async () => {
      const { token, refresh, id } = await connect()
      const before = await statusOf(token)
      const shown = await browser.go(page, [])
      const section = shown.html.slice(shown.html.indexOf(`tool-${id}`))
      await browser.press({ ...shown, html: section }, 'Disconnect Test tool', [])
      const asked = performance.now()
      const after = await statusOf(token)
      const took = performance.now() - asked

      expect([before, after]).toEqual([200, 401])
      expect(took).toBeLessThan(1_000)
      expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_grant' })
      expect((await list()).map((tool) => tool.id)).not.toContain(id)
    },
  )

  verifies('connected-tools.revoke', 'and by the management API, their own alone', async () => {
    const [one, other] = [await connect(), await connect()]
    const foreign = await openMemberBrowser(citewell, await makeMember(citewell, workspaceId))
    const stranger = await foreign.request(`${page}/${one.id}/disconnect`, { method: 'POST' })
    const removed = await citewell.send('DELETE', `/api/v1/me/connected-tools/${one.id}`)
    const again = await citewell.send('DELETE', `/api/v1/me/connected-tools/${one.id}`)

    expect([stranger.status, removed.status, again.status]).toEqual([403, 204, 404])
    expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([401, 200])
  })

  verifies(
    'connected-tools.choose-again',
    'changes what a tool reads, which counts from its next request on',
    async () => {
      const { token, id } = await connect({ base: [first, second] })
      const both = await readableWith(token)
      const shown = await browser.go(`${page}/${id}`, [])
      const none = await browser.press(shown, 'Save', [], { base: [] })
      const made = await browser.press(shown, 'Save', [], { base: [second] })
      const one = await readableWith(token)

      expect(both).toContain('First base')
      expect(shown.html.match(/\schecked/g)).toHaveLength(2)
      expect(none.response.status).toBe(400)
      expect(none.html).toContain('Choose at least one knowledge base.')
      expect(made.url.pathname).toBe('/account/connected-tools')
      expect(one).not.toContain('First base')
      expect(one).toContain('Second base')
    },
  )
})

describe('consent', () => {
  verifies(
    'connected-tools.asked-each-time',
    'is asked for at each connection, of somebody who is signed in at that moment',
    async () => {
      // A website says that it need not be asked for again.
      const redirect = 'https://allowed.example/callback'
      const begun = await beginConnecting(citewell, portal, { redirect, application_type: 'web' })
      const own = await openMemberBrowser(citewell, owner)
      const consent = await own.go(begun.url, [redirect])
      await own.press(consent, 'Connect', [redirect], { base: [first] })
      const again = await own.go(begun.url, [redirect])
      own.cookies.splice(
        own.cookies.findIndex(({ name }) => name === 'citewell_session'),
        1,
      )
      const signedOut = await own.request(again.url)
      const pressed = await own.press(again, 'Connect', [`${citewell.address}/sign-in`], { base: [first] })

      expect(again.html).toContain('Let Test tool read your knowledge bases?')
      expect(again.html).not.toMatch(/\schecked/)
      expect(signedOut.status).toBe(303)
      expect(signedOut.headers.get('location')).toBe(`/sign-in?to=${encodeURIComponent(again.url.pathname)}`)
      expect(pressed.url.pathname).toBe('/sign-in')
    },
  )

  test('needs a choice, and takes none that the person could not make', async () => {
    const begun = await beginConnecting(citewell, portal)
    const consent = await browser.go(begun.url, [TOOL_REDIRECT])
    const none = await browser.press(consent, 'Connect', [TOOL_REDIRECT])
    const foreign = await browser.press(consent, 'Connect', [TOOL_REDIRECT], {
      base: ['00000000-0000-7000-8000-000000000001', 'x'],
    })
    const denied = await browser.press(consent, 'Do not connect', [TOOL_REDIRECT])

    expect([none.response.status, foreign.response.status]).toEqual([400, 400])
    expect(none.html).toContain('Choose at least one knowledge base.')
    expect(denied.url.searchParams.get('error')).toBe('access_denied')
  })

  verifies(
    'connected-tools.own-form',
    'and every other form count from the page of this session alone',
    async () => {
      const { id, token } = await connect()
      const begun = await beginConnecting(citewell, portal)
      const consent = await browser.go(begun.url, [TOOL_REDIRECT])
      const csrf = /name="csrf" value="([^"]+)"/.exec(consent.html)?.[1] ?? ''
      const other = await openMemberBrowser(citewell, owner)
      const send = async (
        from: MemberBrowser,
        path: string,
        fields: Record<string, string>,
        origin?: string,
      ) =>
        (
          await from.request(`${citewell.address}${path}`, {
            method: 'POST',
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              ...(origin !== undefined && { origin }),
            },
            body: new URLSearchParams(fields).toString(),
          })
        ).status
      const allow = { decision: 'allow', base: first }
      const statuses = await Promise.all([
        send(browser, consent.url.pathname, { ...allow, csrf: 'x' }),
        send(browser, consent.url.pathname, { ...allow, csrf }, 'https://evil.example'),
        send(browser, `/account/connected-tools/${id}/disconnect`, { csrf: 'x' }),
        send(browser, `/account/connected-tools/${id}/disconnect`, { csrf }, 'https://evil.example'),
        send(other, `/account/connected-tools/${id}/disconnect`, { csrf }),
        send(browser, `/account/connected-tools/${id}`, { all: 'yes' }),
      ])
      const stranger = await openScriptedBrowser().request(`${page}/${id}/disconnect`, { method: 'POST' })

      expect(statuses).toEqual([403, 403, 403, 403, 403, 403])
      expect(stranger.headers.get('location')).toContain('/sign-in?to=')
      expect(await statusOf(token)).toBe(200)
    },
  )

  verifies(
    ['connected-tools.web-clients', 'authentication.mcp-portal'],
    'is not asked for a website, unless its very host is allowed',
    async () => {
      const answers = await Promise.all(
        [
          'https://evil.example/callback',
          'https://allowed.example.evil.example/callback',
          'https://notallowed.example/callback',
          'https://allowed.example:8443/callback',
          'https://allowed.example./callback',
          'https://allowed.example@evil.example/callback',
          'https://other.example/callback',
          'https://allowed.example/callback',
          'https://other.example:8443/callback',
          'cursor://anysphere.cursor/callback',
          'http://localhost:9/callback',
        ].map(async (redirect) => {
          const begun = await beginConnecting(citewell, portal, { redirect })
          const own = await openMemberBrowser(citewell, owner)
          return (await own.go(begun.url, [redirect])).response.status
        }),
      )
      const shown = await browser.go(
        (await beginConnecting(citewell, portal, { redirect: 'https://evil.example/callback' })).url,
        [],
      )

      expect(answers.map((status) => status === 200)).toEqual([
        ...Array(7).fill(false),
        ...Array(4).fill(true),
      ])
      expect(shown.html).toContain('evil.example')
      expect(shown.html).not.toContain('<form')
    },
  )
})

verifies(
  ['mcp.portal-tokens', 'mcp.providers'],
  'one browser connects as a reader and as a member in turn, and neither token is good for the other’s servers',
  async () => {
    const makeServer = async (name: string, type: 'external' | 'internal', signIn: string) => {
      const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name, type })
      await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
        server_name: name,
        sign_in_type: signIn,
      })
      return `${citewell.address}/mcp/${name}`
    }
    const open = await makeServer('open-server', 'external', 'public')
    const internal = await makeServer('internal-server', 'internal', 'internal')
    const connectTo = async (address: string, button: string, ticked = {}) => {
      const begun = await beginConnecting(citewell, address)
      const back = await browser.press(
        await browser.go(begun.url, [TOOL_REDIRECT]),
        button,
        [TOOL_REDIRECT],
        ticked,
      )
      return (await begun.tokensFor(back.url.searchParams.get('code') ?? '')).access_token
    }
    const reader = await connectTo(open, 'Connect with Example ID')
    const member = await connectTo(internal, 'Connect')
    const ofPortal = await connectTo(portal, 'Connect', { all: ['yes'] })
    const readerAgain = await connectTo(open, 'Connect with Example ID')
    const tokens = [reader, member, ofPortal, readerAgain]
    const table = await Promise.all(
      [open, internal, portal].map(
        async (address) =>
          await Promise.all(tokens.map(async (token) => (await knock(address, token)).status)),
      ),
    )

    expect(table).toEqual([
      [200, 401, 401, 200],
      [401, 200, 401, 401],
      [401, 401, 200, 401],
    ])
  },
)
