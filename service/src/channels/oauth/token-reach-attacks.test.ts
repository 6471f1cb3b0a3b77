import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { openReaderWorld, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

interface Made {
  name: string
  address: string
  id: string
  baseId: string
  key: string | undefined
}

let world: ReaderWorld
let made: Made[]
const sentToProvider: string[] = []

beforeAll(async () => {
  world = await openReaderWorld()
  const kinds = [
    ['reach-public-a', 'public'],
    ['reach-public-b', 'public'],
    ['reach-public', 'public'],
    ['reach-keys-a', 'api_key'],
    ['reach-keys-b', 'api_key'],
    ['reach-internal', 'internal'],
  ] as const
  made = []
  for (const [name, kind] of kinds) made.push({ name, ...(await world.makeServer(name, kind)) })
  world.outside.service.on(
    'beforeTokenSigning',
    (_token: unknown, request: { headers: object; body?: unknown }) =>
      sentToProvider.push(JSON.stringify([request.headers, request.body])),
  )
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const atOf = (name: string) => `${world.address}/mcp/${name}`
const SIGNED_IN = ['reach-public-a', 'reach-public-b', 'reach-public']

describe('a credential of one server', () => {
  verifies(
    'mcp-attacks.one-server',
    'a credential works at no other server, nor at /mcp, nor at the portal: all pairs',
    async () => {
      // One tool of one person, so that a single grant covers all servers, and only the token determines the server.
      const given = { browser: openScriptedBrowser(), clientId: await world.registered() }
      const credentials: [string, string][] = []
      for (const name of SIGNED_IN)
        credentials.push([name, (await world.connect(atOf(name), given)).tokens.access_token])
      for (const { name, key } of made) if (name.startsWith('reach-keys')) credentials.push([name, key ?? ''])
      const places = [...made.map(({ name }) => name), 'portal', '']
      const table = await Promise.all(
        credentials.flatMap(([of, credential]) =>
          places.map(async (place) => [
            `${of} at /mcp/${place}`,
            (await world.ask(place === '' ? `${world.address}/mcp` : atOf(place), credential)).status,
          ]),
        ),
      )
      const expected = credentials.flatMap(([of]) =>
        places.map((place) => {
          const isOwn = place === of || (place === '' && of.startsWith('reach-keys'))
          return [
            `${of} at /mcp/${place}`,
            isOwn ? 200 : expect.toSatisfy((status: number) => [401, 404, 503].includes(status)),
          ]
        }),
      )

      expect(table).toHaveLength(40)
      expect(table).toEqual(expected)
    },
  )

  test('the refusal says that the token is invalid, and where to get one', async () => {
    const { tokens } = await world.connect(atOf('reach-public-a'))
    const refused = await world.ask(atOf('reach-public-b'), tokens.access_token)
    const challenge = refused.headers.get('www-authenticate') ?? ''

    expect(refused.status).toBe(401)
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).toContain(
      `resource_metadata="${world.address}/.well-known/oauth-protected-resource/mcp/reach-public-b"`,
    )
    expect(await refused.text()).not.toContain(tokens.access_token)
  })

  verifies(
    'mcp-attacks.one-server',
    'a credential ends with its server: a new server of the same name does not accept it',
    async () => {
      const before = await world.makeServer('reach-passing')
      const { tokens, clientId, fields } = await world.connect(before.address)
      const waiting = await world.codeFor(before.address)
      await world.citewell.json('DELETE', `/api/v1/mcp-servers/${before.id}`)
      const gone = await world.ask(before.address, tokens.access_token)
      await world.makeServer('reach-passing')
      const refreshed = (await (await world.refresh(clientId, tokens.refresh_token)).json()) as Partial<
        typeof tokens
      >
      const exchanged = (await (await world.token(waiting.fields)).json()) as Partial<typeof tokens>
      const good = await Promise.all(
        [tokens.access_token, refreshed.access_token ?? 'none', exchanged.access_token ?? 'none'].map(
          (token) => world.isGood(before.address, token),
        ),
      )

      expect(gone.status).toBe(404)
      expect(good).toEqual([false, false, false])
      expect(fields.resource).toBe(before.address)
    },
  )
})

describe('credentials in another form or place', () => {
  test('a credential in another form or place is refused', async () => {
    const { tokens } = await world.connect(atOf('reach-public-a'))
    const at = atOf('reach-public-a')
    const { access_token: token } = tokens
    const statuses = await Promise.all(
      [
        `${at}?access_token=${token}`,
        `${at}?token=${token}`,
        `${at}?client_key=${token}`,
        `${at}?bearer=${token}`,
      ].map(async (address) => (await world.ask(address, undefined)).status),
    )
    const headers: Record<string, string>[] = [
      { 'x-client-key': token },
      { 'x-access-token': token },
      { cookie: `access_token=${token}` },
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      { authorization: `Bearer ${token},Bearer ${token}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: `Bearer ${token.toUpperCase()}` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer "${token}"` },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${tokens.refresh_token}` },
      { authorization: `DPoP ${token}` },
    ]
    for (const sent of headers) statuses.push((await world.ask(at, undefined, sent)).status)

    expect(statuses).toEqual(statuses.map(() => 401))
    expect(statuses).toHaveLength(18)
  })

  test('a key is accepted in the query at the generic address only, and a secret never', async () => {
    const key = made.find(({ name }) => name === 'reach-keys-a')?.key ?? ''
    const at = async (path: string) => (await world.ask(`${world.address}${path}`, undefined)).status

    expect(await at(`/mcp?client_key=${key}`)).toBe(200)
    expect(await at(`/mcp/reach-keys-a?client_key=${key}`)).toBe(401)
    expect(await at(`/mcp?client_key=${key}:secret`)).toBeGreaterThanOrEqual(401)
    expect(await at('/mcp?client_key=')).toBe(401)
  })
})

describe('tokens of other issuers', () => {
  verifies(
    'mcp-attacks.outside-token',
    'tokens of other issuers are refused, and ours are sent to no one',
    async () => {
      const { tokens, code, clientId } = await world.connect(atOf('reach-public-a'))
      const outside = [
        await world.outside.issuer.buildToken({ scopesOrTransform: 'mcp openid' }),
        await world.outside.issuer.buildToken({
          scopesOrTransform: (_header, payload) => {
            payload.iss = world.address
            payload['aud'] = atOf('reach-public-a')
            payload['client_id'] = clientId
          },
        }),
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.`,
      ]
      const statuses = await Promise.all(
        outside.flatMap((token) => [
          world.ask(atOf('reach-public-a'), token),
          world.ask(`${world.address}/mcp`, token),
          world.refresh(clientId, token),
          outsideRequest(`${world.address}/api/v1/knowledge-bases`, {
            headers: { authorization: `Bearer ${token}` },
          }),
        ]),
      )
      const rows = JSON.stringify([
        await world.citewell.rows('select * from oauth_records'),
        await world.citewell.rows('select * from connected_tools'),
      ])

      expect(statuses.filter(({ status }) => status < 400)).toEqual([])
      expect(sentToProvider.length).toBeGreaterThan(0)
      for (const secret of [tokens.access_token, tokens.refresh_token, code]) {
        expect(sentToProvider.join()).not.toContain(secret)
        expect(rows).not.toContain(secret)
      }
      expect(rows).not.toMatch(/johndoe|eyJ[\w-]+\.eyJ/)
    },
  )
})
