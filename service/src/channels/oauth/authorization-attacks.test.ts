import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { formOf } from '../../../test/oauth-requests.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

let world: ReaderWorld
let server: string

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('authorized')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

describe('an unsupported authorization request', () => {
  const ASKED: [string, Record<string, string | undefined>, string][] = [
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['another method', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['an address of one', { request_uri: 'http://169.254.169.254/latest' }, 'request_uri_not_supported'],
    [
      'one that was pushed',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'request_uri_not_supported',
    ],
    ['not to be asked', { prompt: 'none' }, 'login_required'],
    ['not to be asked, and to be asked', { prompt: 'none consent' }, 'invalid_request'],
    ['no server', { resource: undefined }, 'invalid_target'],
    ['a server elsewhere', { resource: 'https://evil.example/mcp/authorized' }, 'invalid_target'],
    ['a server that is not there', { resource: 'SELF/mcp/not-there' }, 'invalid_target'],
    ['the whole service', { resource: 'SELF' }, 'invalid_target'],
    ['the address of keys', { resource: 'SELF/mcp' }, 'invalid_target'],
    ['a server with a query', { resource: 'SELF/mcp/authorized?x=1' }, 'invalid_target'],
    ['a server with a fragment', { resource: 'SELF/mcp/authorized#x' }, 'invalid_target'],
    ['a server with a password', { resource: 'PASSWORD/mcp/authorized' }, 'invalid_target'],
    ['what is no address', { resource: 'authorized' }, 'invalid_target'],
  ]

  verifies(
    'mcp-attacks.mix-up',
    'is answered with an error that names the issuer (mix-up defence)',
    async () => {
      const clientId = await world.registered()
      const answers = []
      for (const [what, fields] of ASKED) {
        const resource = fields['resource']
          ?.replace('SELF', world.address)
          .replace('PASSWORD', world.address.replace('//', '//:secret@'))
        const { url } = world.authorization(clientId, server, {
          ...fields,
          ...('resource' in fields && { resource }),
        })
        const { url: end } = await openScriptedBrowser().go(url, [REDIRECT])
        const { error, iss, state, code } = Object.fromEntries(
          end.hash === '' ? end.searchParams : new URLSearchParams(end.hash.slice(1)),
        )
        answers.push([what, end.origin + end.pathname, error, iss, state, code])
      }

      expect(answers).toEqual(
        ASKED.map(([what, , error]) => [
          what,
          REDIRECT,
          error,
          world.address,
          'state-of-the-tool',
          undefined,
        ]),
      )
    },
  )

  test('a request for two servers is refused', async () => {
    const other = (await world.makeServer('authorized-two')).address
    const { url } = world.authorization(await world.registered(), server)
    url.searchParams.append('resource', other)
    const end = await openScriptedBrowser().go(url, [REDIRECT])

    expect(end.response.status).toBe(404)
    expect(end.html).not.toContain('<form')
  })

  test('the address of a server is normalised, and the token works at that server', async () => {
    const { host } = new URL(server)
    const tokens = await Promise.all(
      [`${server}/`, server.replace('http://', 'HTTP://'), `http://${host}/mcp/x/../authorized`].map(
        async (resource) => (await world.connect(resource)).tokens.access_token,
      ),
    )
    const good = await Promise.all(tokens.map((token) => world.isGood(server, token)))

    expect(good).toEqual([true, true, true])
  })

  test('a tool that names no scope gets the one that there is', async () => {
    const clientId = await world.registered()
    const { url, verifier } = world.authorization(clientId, server, { scope: undefined })
    const browser = openScriptedBrowser()
    const back = await browser.press(await browser.go(url, [REDIRECT]), 'Connect', [REDIRECT])
    const answer = await world.token({
      grant_type: 'authorization_code',
      code: back.url.searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      resource: server,
    })
    const { access_token: token, scope } = (await answer.json()) as { access_token: string; scope: string }

    expect(scope).toBe('mcp')
    expect(await world.isGood(server, token)).toBe(true)
  })

  test('a scope that servers do not have is not granted', async () => {
    const clientId = await world.registered()
    const browser = openScriptedBrowser()
    const way = world.authorization(clientId, server, {
      scope: 'mcp offline_access openid profile email admin',
    })
    const end = await browser.go(way.url, [REDIRECT])
    const page = end.url.href.startsWith(REDIRECT) ? end : await browser.press(end, 'Connect', [REDIRECT])
    const answer = await world.token({
      grant_type: 'authorization_code',
      code: page.url.searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: way.verifier,
      resource: server,
    })
    const body = (await answer.json()) as { scope?: string; id_token?: string }

    expect(body.id_token).toBeUndefined()
    expect(body.scope ?? '').not.toMatch(/admin|profile|email|openid/)
  })

  test('authorization accepts only GET, so that a form of another site cannot send a request', async () => {
    const { url } = world.authorization(await world.registered(), server)
    const answer = await outsideRequest(`${world.address}/authorize`, {
      ...formOf([...url.searchParams]),
      redirect: 'manual',
    })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('an address of the authorization server refuses other methods in JSON, which every page can read', async () => {
    const reads = 'GET, HEAD, OPTIONS'
    const ADDRESSES: [string, string, string][] = [
      ['/token', 'GET', 'POST, OPTIONS'],
      ['/token', 'PUT', 'POST, OPTIONS'],
      ['/register', 'GET', 'POST, OPTIONS'],
      ['/register', 'DELETE', 'POST, OPTIONS'],
      ['/revoke', 'GET', 'POST, OPTIONS'],
      ['/authorize', 'PUT', reads],
      ['/authorize/some-visit', 'POST', reads],
      ['/oauth/jwks', 'POST', reads],
      ['/.well-known/oauth-authorization-server', 'POST', reads],
      ['/.well-known/openid-configuration', 'DELETE', reads],
    ]
    const options = await Promise.all(
      ['/register', '/authorize'].map(async (path) => {
        const { status, headers } = await outsideRequest(`${world.address}${path}`, { method: 'OPTIONS' })
        return [status, headers.get('allow'), headers.get('access-control-allow-origin')]
      }),
    )
    const answers = await Promise.all(
      ADDRESSES.map(async ([path, method]) => {
        const answer = await outsideRequest(`${world.address}${path}`, { method })
        const { code } = (await answer.json()) as { code: string }
        const allow = answer.headers.get('allow')
        return [path, method, allow, answer.status, code, answer.headers.get('access-control-allow-origin')]
      }),
    )

    expect(answers).toEqual(
      ADDRESSES.map(([path, method, allow]) => [path, method, allow, 405, 'METHOD_NOT_ALLOWED', '*']),
    )
    expect(options).toEqual([
      [204, 'POST, OPTIONS', null],
      [204, reads, null],
    ])
  })

  test('a tool in a browser may read the metadata, ask for tokens and revoke them: preflights are answered', async () => {
    const origin = 'https://tool.example'
    const PATHS = ['/token', '/revoke', '/oauth/jwks', '/.well-known/oauth-authorization-server']
    const answers = await Promise.all(
      PATHS.map(async (path) => {
        const { status, headers } = await outsideRequest(`${world.address}${path}`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        })
        return [path, status, headers.get('access-control-allow-origin')]
      }),
    )

    expect(answers).toEqual(PATHS.map((path) => [path, 204, origin]))
  })

  test('an error page shows request values as text, cannot be framed, and sets no header from them', async () => {
    const hostile = `"><script>alert(1)</script>\r\nset-cookie: a=b`
    const answers = await Promise.all([
      outsideRequest(world.authorization(hostile, server).url, { redirect: 'manual' }),
      outsideRequest(
        world.authorization(await world.registered(), server, { state: hostile, prompt: 'none' }).url,
        {
          redirect: 'manual',
        },
      ),
      outsideRequest(world.authorization(await world.registered(), server, { response_mode: hostile }).url, {
        redirect: 'manual',
      }),
    ])
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(texts.join('')).not.toContain('<script')
    expect(answers.flatMap(({ headers }) => headers.getSetCookie()).join()).not.toContain('a=b')
    expect(answers[1]?.headers.get('location')).toContain('%0D%0A')
  })

  test('a form_post response is a page that cannot be framed and is not cached', async () => {
    const { url } = world.authorization(await world.registered(), server, {
      response_mode: 'form_post',
      prompt: 'none',
    })
    const answer = await outsideRequest(url, { redirect: 'manual' })
    const text = await answer.text()

    expect(text).not.toContain('<script>alert')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })
})

test('metadata is built from the configured public URL, whatever the headers of a request say', async () => {
  const told = await Promise.all(
    ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp/authorized'].map(
      async (path) =>
        await (
          await outsideRequest(`${world.address}${path}`, {
            headers: {
              'x-forwarded-host': 'evil.example',
              'x-forwarded-proto': 'https',
              forwarded: 'host=evil.example;proto=https',
              'x-original-host': 'evil.example',
            },
          })
        ).text(),
    ),
  )
  const issuer = JSON.parse(told[0] ?? '{}') as Record<string, unknown>

  expect(told.join()).not.toContain('evil.example')
  expect(issuer['issuer']).toBe(world.address)
  expect(issuer['authorization_response_iss_parameter_supported']).toBe(true)
  expect(issuer['code_challenge_methods_supported']).toEqual(['S256'])
  expect(issuer['response_types_supported']).toEqual(['code'])
  expect(issuer['request_parameter_supported'] ?? false).toBe(false)
  expect(issuer['request_uri_parameter_supported'] ?? false).toBe(false)
})
