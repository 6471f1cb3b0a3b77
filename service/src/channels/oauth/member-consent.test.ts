import { verifies } from '@citewell/spec/verifies'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beginConnecting,
  connectAsMember,
  knock,
  openMemberBrowser,
  TOOL_REDIRECT,
  type MemberBrowser,
} from '../../../test/connect-as-member.ts'
import { formOf } from '../../../test/oauth-requests.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let outside: OAuth2Server
let citewell: TestService
let portal: string
let owner: string
let browser: MemberBrowser
let first: string

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
  owner = (await citewell.json<{ user: { id: string } }>('GET', '/api/v1/me')).user.id
  first = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'First base' })).id
  browser = await openMemberBrowser(citewell, owner)
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await outside.stop()
})

describe('consent of members', () => {
  verifies(
    'connected-tools.asked-each-time',
    'each connection asks a signed-in member for consent',
    async () => {
      // Clients of type "web" are usually not asked again after a consent.
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

  test('the portal requires a choice of bases, and accepts only bases that the member may chat in', async () => {
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
    'the consent form and all other forms are accepted only with the CSRF token of the session',
    async () => {
      const { tokens } = await connectAsMember(citewell, browser, portal, { base: [first] })
      const { data: tools } = await citewell.json<{ data: { id: string }[] }>(
        'GET',
        '/api/v1/me/connected-tools',
      )
      const id = tools.at(-1)?.id ?? ''
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
            ...formOf(fields),
            headers: { ...formOf(fields).headers, ...(origin !== undefined && { origin }) },
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
      const stranger = await openScriptedBrowser().request(
        `${citewell.address}/account/connected-tools/${id}/disconnect`,
        { method: 'POST' },
      )

      expect(statuses).toEqual([403, 403, 403, 403, 403, 403])
      expect(stranger.headers.get('location')).toContain('/sign-in?to=')
      expect((await knock(portal, tokens.access_token)).status).toBe(200)
    },
  )

  verifies(
    ['connected-tools.web-clients', 'authentication.mcp-portal', 'traps.portal-hosts'],
    'a website cannot be connected to the portal, unless its exact host is allowed',
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
      // The host part of a custom scheme is chosen by the tool, and does not say where the answer goes.
      const scheme = await browser.go(
        (await beginConnecting(citewell, portal, { redirect: 'com.evil.app://claude.ai/callback' })).url,
        [],
      )
      expect(scheme.html).toContain('com.evil.app:')
      expect(scheme.html).not.toContain('claude.ai')
      expect(scheme.html).toContain('the program on this device')
      expect(shown.html).toContain('evil.example')
      expect(shown.html).not.toContain('<form')
    },
  )
})

verifies(
  ['mcp.portal-tokens', 'mcp.providers'],
  'one browser connects as a reader and as a member in turn, and neither token works at the other’s servers',
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
