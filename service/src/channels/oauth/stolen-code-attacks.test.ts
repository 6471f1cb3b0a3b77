import { createHash } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { formOf } from '../../../test/oauth-requests.ts'
import {
  openReaderWorld,
  REDIRECT,
  type ReaderWorld,
  type Tokens,
} from '../../../test/reader-sign-in-world.ts'

let world: ReaderWorld
let server: string
let other: string

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('stolen-from')).address
  other = (await world.makeServer('stolen-for')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const errorOf = async (response: Response) => ((await response.json()) as { error?: string }).error

describe('a stolen authorization code', () => {
  verifies(
    'mcp-attacks.stolen-code',
    'a code is refused unless verifier, client, redirect URI and server all match',
    async () => {
      const browser = openScriptedBrowser()
      const stranger = await world.registered()
      const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
      const attempts: [string, (code: Record<string, string>) => Record<string, string>, string][] = [
        ['by another client', () => ({ client_id: stranger }), 'invalid_grant'],
        ['to another address', () => ({ redirect_uri: 'http://127.0.0.1:9/x' }), 'invalid_grant'],
        ['with an empty verifier', () => ({ code_verifier: '' }), 'invalid_grant'],
        ['with another verifier', () => ({ code_verifier: 'A'.repeat(43) }), 'invalid_grant'],
        [
          'with the challenge as verifier',
          (code) => ({ code_verifier: challengeOf(code['code_verifier'] ?? '') }),
          'invalid_grant',
        ],
        ['for another server', () => ({ resource: other }), 'invalid_target'],
        ['for no server of ours', () => ({ resource: 'https://evil.example/mcp' }), 'invalid_target'],
        ['of an unknown client', () => ({ client_id: 'nobody' }), 'invalid_client'],
      ]
      const answers = []
      for (const [attempt, changes] of attempts) {
        const { fields } = await world.codeFor(server, { browser })
        answers.push([attempt, await errorOf(await world.token({ ...fields, ...changes(fields) }))])
      }

      expect(answers).toEqual(attempts.map(([attempt, , error]) => [attempt, error]))
    },
  )

  verifies('mcp-attacks.stolen-code', 'a code is not used up by a request without the verifier', async () => {
    const { fields } = await world.codeFor(server)
    const stolen = await world.token({ ...fields, code_verifier: 'A'.repeat(43) })
    const own = await world.token(fields)

    expect([stolen.status, own.status]).toEqual([400, 200])
  })

  verifies('mcp-attacks.code-twice', 'using a code twice revokes the tokens of its first use', async () => {
    const { fields, tokens, clientId } = await world.connect(server)
    const before = await world.isGood(server, tokens.access_token)
    const again = await world.token(fields)

    expect(before).toBe(true)
    expect(await errorOf(again)).toBe('invalid_grant')
    expect(await world.isGood(server, tokens.access_token)).toBe(false)
    expect(await errorOf(await world.refresh(clientId, tokens.refresh_token))).toBe('invalid_grant')
  })

  verifies(
    'mcp-attacks.code-twice',
    'two concurrent uses of a code leave neither with a valid token',
    async () => {
      const { fields } = await world.codeFor(server)
      const answers = await Promise.all(Array.from({ length: 5 }, () => world.token(fields)))
      const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as Tokens))
      const given = bodies.flatMap(({ access_token: token }) => (token === undefined ? [] : [token]))
      const good = await Promise.all(given.map((token) => world.isGood(server, token)))

      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      expect(good).not.toContain(true)
    },
  )

  verifies('mcp-attacks.code-lasts', 'a code expires after 60 seconds', async () => {
    const { fields, code } = await world.codeFor(server)
    const idHash = createHash('sha256').update(code).digest('base64url')
    const [row] = await world.citewell.rows(
      `select extract(epoch from expires_at - now())::int as seconds from oauth_records where kind = 'AuthorizationCode' and id_hash = '${idHash}'`,
    )
    await world.citewell.storage.execute(
      `update oauth_records set expires_at = now() - interval '1 second' where kind = 'AuthorizationCode' and id_hash = '${idHash}'`,
    )

    expect(row?.['seconds']).toBeGreaterThan(50)
    expect(row?.['seconds']).toBeLessThanOrEqual(60)
    expect(await errorOf(await world.token(fields))).toBe('invalid_grant')
  })
})

test('a tool of a server that was deleted and made again under its name is told to ask its user', async () => {
  const { id, address, baseId } = await world.makeServer('made-again', 'public')
  const { clientId, tokens } = await world.connect(address)
  expect(await world.isGood(address, tokens.access_token)).toBe(true)
  await world.citewell.send('DELETE', `/api/v1/mcp-servers/${id}`)
  await world.citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/mcp-servers`, {
    server_name: 'made-again',
    sign_in_type: 'public',
  })

  expect(await world.isGood(address, tokens.access_token)).toBe(false)
  expect(await errorOf(await world.refresh(clientId, tokens.refresh_token))).toBe('invalid_grant')
  const again = await world.connect(address)
  expect(await world.isGood(address, again.tokens.access_token)).toBe(true)
})

describe('a stolen refresh token', () => {
  verifies('mcp-attacks.refresh-twice', 'using a refresh token twice revokes its whole family', async () => {
    const { clientId, tokens } = await world.connect(server)
    const second = (await (await world.refresh(clientId, tokens.refresh_token)).json()) as Tokens
    const third = (await (await world.refresh(clientId, second.refresh_token)).json()) as Tokens
    const reused = await world.refresh(clientId, tokens.refresh_token)
    const every = await Promise.all(
      [tokens, second, third].map(({ access_token: token }) => world.isGood(server, token)),
    )

    expect(await errorOf(reused)).toBe('invalid_grant')
    expect(every).toEqual([false, false, false])
    expect(await errorOf(await world.refresh(clientId, third.refresh_token))).toBe('invalid_grant')
  })

  verifies(
    'mcp-attacks.refresh-twice',
    'two concurrent uses of a refresh token revoke its family too',
    async () => {
      const { clientId, tokens } = await world.connect(server)
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => world.refresh(clientId, tokens.refresh_token)),
      )
      const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as Tokens))
      const given = bodies.filter(({ access_token: token }) => token !== undefined)
      const good = await Promise.all(given.map(({ access_token: token }) => world.isGood(server, token)))
      const next = await Promise.all(
        given.map(async ({ refresh_token: token }) => (await world.refresh(clientId, token)).status),
      )

      expect(given.length).toBeLessThanOrEqual(1)
      expect(await world.isGood(server, tokens.access_token)).toBe(false)
      expect(good).not.toContain(true)
      expect(next).not.toContain(200)
    },
  )

  test('a refresh token works only for its own client, server and scope', async () => {
    const { clientId, tokens } = await world.connect(server)
    const stranger = await world.registered()
    const answers = [
      await world.refresh(stranger, tokens.refresh_token),
      await world.refresh(clientId, tokens.refresh_token, { resource: other }),
      await world.refresh(clientId, tokens.refresh_token, { scope: 'mcp admin' }),
      await world.refresh(clientId, tokens.access_token),
    ]

    expect(await Promise.all(answers.map(errorOf))).toEqual([
      'invalid_grant',
      'invalid_target',
      'invalid_scope',
      'invalid_grant',
    ])
  })
})

describe('the token endpoint', () => {
  test('the token endpoint accepts only forms, each field once, and one kind of client authentication', async () => {
    const { fields, clientId, code } = await world.codeFor(server)
    const twice = (name: string, value: string) =>
      formOf([...Object.entries(fields), [name, value]] as [string, string][])
    const at = `${world.address}/token`
    const answers = await Promise.all([
      outsideRequest(at, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }),
      outsideRequest(at, twice('code', code)),
      outsideRequest(at, twice('client_id', 'somebody-else')),
      outsideRequest(at, twice('code_verifier', 'A'.repeat(43))),
      outsideRequest(at, twice('redirect_uri', REDIRECT)),
      outsideRequest(at, twice('grant_type', 'refresh_token')),
      outsideRequest(`${at}?${new URLSearchParams(fields).toString()}`, { method: 'POST' }),
      outsideRequest(`${at}?${new URLSearchParams(fields).toString()}`),
      outsideRequest(at, {
        ...formOf(fields),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from('somebody-else:secret').toString('base64')}`,
        },
      }),
      outsideRequest(at, formOf({ ...fields, client_secret: 'guess' })),
    ])
    const served = await world.token(fields)

    expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
    expect(answers.every(({ headers }) => !headers.has('location'))).toBe(true)
    // None of these requests used the code up or restricted it.
    expect(served.status).toBe(200)
    expect(served.headers.get('cache-control')).toBe('no-store')
    expect(clientId).not.toBe('')
  })

  test('the token endpoint offers no grant without a user', async () => {
    const clientId = await world.registered()
    const answers = await Promise.all(
      [
        'client_credentials',
        'password',
        'implicit',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        '__proto__',
      ].map(async (grant) =>
        errorOf(await world.token({ grant_type: grant, client_id: clientId, resource: server })),
      ),
    )

    expect(new Set(answers)).toEqual(new Set(['unsupported_grant_type']))
  })

  test('the token endpoint accepts a secret in one place only', async () => {
    const made = (await (
      await world.register({ token_endpoint_auth_method: 'client_secret_basic' })
    ).json()) as { client_id: string; client_secret: string }
    const basic = `Basic ${Buffer.from(`${made.client_id}:${made.client_secret}`).toString('base64')}`
    const fields = { grant_type: 'refresh_token', refresh_token: 'unknown', client_id: made.client_id }
    const send = async (form: Record<string, string>, authorization?: string) =>
      await errorOf(
        await outsideRequest(`${world.address}/token`, {
          ...formOf(form),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...(authorization !== undefined && { authorization }),
          },
        }),
      )

    expect(await send(fields, basic)).toBe('invalid_grant')
    expect(await send({ ...fields, client_secret: made.client_secret }, basic)).toBe('invalid_request')
    expect(await send({ ...fields, client_secret: 'guess' })).toBe('invalid_client')
    expect(await send(fields)).toBe('invalid_client')
  })
})

describe('token revocation', () => {
  verifies(
    'mcp-attacks.revoke',
    'only the client of a token can revoke it, and revocation takes effect immediately',
    async () => {
      const { clientId, tokens } = await world.connect(server)
      const revoke = async (client: string) =>
        await outsideRequest(
          `${world.address}/revoke`,
          formOf({ token: tokens.refresh_token, token_type_hint: 'refresh_token', client_id: client }),
        )
      await revoke(await world.registered())
      const stillGood = await world.isGood(server, tokens.access_token)
      await revoke(clientId)

      expect(stillGood).toBe(true)
      expect(await world.isGood(server, tokens.access_token)).toBe(false)
    },
  )

  verifies(
    'mcp-attacks.revoke',
    'a revoked token of either kind ends its family, whatever the hint, and an unknown one is no error (RFC 7009)',
    async () => {
      const given = { clientId: await world.registered(), browser: openScriptedBrowser() }
      const { clientId } = given
      const revoke = async (fields: Record<string, string>) =>
        (await outsideRequest(`${world.address}/revoke`, formOf({ client_id: clientId, ...fields }))).status
      const kept = await world.connect(server, { browser: given.browser })
      const revoked = []
      for (const [kind, hint] of [
        ['access_token', 'refresh_token'],
        ['refresh_token', 'access_token'],
        ['refresh_token', 'no_such_kind'],
      ] as const) {
        const { tokens } = await world.connect(server, given)
        const second = (await (await world.refresh(clientId, tokens.refresh_token)).json()) as Tokens
        const before = await world.isGood(server, second.access_token)
        const status = await revoke({ token: second[kind], token_type_hint: hint })
        const again = await revoke({ token: second[kind] })
        const isGood = await world.isGood(server, second.access_token)
        const refreshed = await errorOf(await world.refresh(clientId, second.refresh_token))
        revoked.push([before, status, again, isGood, refreshed])
      }
      const access = kept.tokens.access_token
      const refused = [
        await revoke({}),
        await revoke({ token: access, client_id: 'nobody' }),
        (await outsideRequest(`${world.address}/revoke?token=${access}&client_id=${clientId}`)).status,
      ]

      expect(revoked).toEqual(revoked.map(() => [true, 200, 200, false, 'invalid_grant']))
      expect(await revoke({ token: 'no-such-token' })).toBe(200)
      expect(refused).toEqual([400, 401, 405])
      // What another tool of the same person got goes on.
      expect(await world.isGood(server, access)).toBe(true)
    },
  )

  test('there are no endpoints to look up tokens or users', async () => {
    const { tokens } = await world.connect(server)
    const paths = [
      '/introspect',
      '/token/introspection',
      '/userinfo',
      '/me',
      '/oauth/userinfo',
      '/par',
      '/request',
    ]
    const answers = await Promise.all(
      paths.map((path) =>
        outsideRequest(`${world.address}${path}`, {
          ...formOf({ token: tokens.access_token }),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Bearer ${tokens.access_token}`,
          },
        }),
      ),
    )
    const metadata = (await (
      await outsideRequest(`${world.address}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, unknown>

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(Object.keys(metadata)).not.toContain('introspection_endpoint')
    expect(Object.keys(metadata)).not.toContain('userinfo_endpoint')
    expect(Object.keys(metadata)).not.toContain('pushed_authorization_request_endpoint')
  })
})

test('using a code twice does not affect other tools of the same person', async () => {
  const browser = openScriptedBrowser()
  const kept = await world.connect(server, { browser })
  const { fields } = await world.connect(server, { browser })
  await world.token(fields)

  expect(await world.isGood(server, kept.tokens.access_token)).toBe(true)
})
