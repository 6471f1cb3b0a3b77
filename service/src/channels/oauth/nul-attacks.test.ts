import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMember, openMemberBrowser, type MemberBrowser } from '../../../test/connect-as-member.ts'
import { formOf } from '../../../test/oauth-requests.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'

const NUL = '\0'

let world: ReaderWorld
let server: string
let member: MemberBrowser

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('nul-readers')).address
  const { workspaces } = await world.citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  member = await openMemberBrowser(
    world.citewell,
    await makeMember(world.citewell, workspaces[0]?.id ?? '', 'admin'),
  )
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/name="([^"]*)"\s+value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )

/** Variants of the fields with NUL, which PostgreSQL cannot store in text: at the end, at the beginning, and alone. */
const spoilt = (fields: Record<string, string>): [string, Record<string, string>][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    [`${value}${NUL}`, `${NUL}${value}`, NUL].map((bad): [string, Record<string, string>] => [
      `${name}=${JSON.stringify(bad)}`,
      { ...fields, [name]: bad },
    ]),
  )

/** The requests whose answers were not as expected. */
async function faultsOf(requests: readonly [string, () => Promise<Response>][]): Promise<string[]> {
  const faults = []
  for (const [name, send] of requests) {
    const { status } = await send()
    if (status >= 500) faults.push(`${name}: ${status}`)
  }
  return faults
}

test('the name of a server with a NUL does not exist', async () => {
  const statuses = await Promise.all(
    [
      'x%00',
      '%00',
      'nul-readers%00',
      '%00nul-readers',
      'nul-readers%ff',
      'NUL-READERS',
      'x'.repeat(5_000),
    ].flatMap((name) =>
      [
        `/.well-known/oauth-protected-resource/mcp/${name}`,
        `/mcp/${name}/.well-known/oauth-protected-resource`,
      ].map(async (path) => (await outsideRequest(`${world.address}${path}`)).status),
    ),
  )

  expect(statuses).toEqual(statuses.map(() => 404))
})

test('a NUL in any field does not cause an error at the endpoints of the authorization server', async () => {
  const { fields, clientId, code } = await world.codeFor(server)
  const { url } = world.authorization(clientId, server)
  const authorizations = spoilt({
    ...Object.fromEntries(url.searchParams),
    prompt: '',
    login_hint: 'x',
    nonce: 'x',
  })
  const registrations = spoilt({
    client_name: 'x',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    client_uri: 'https://ok.example/',
    logo_uri: 'https://ok.example/',
    scope: 'mcp',
    software_id: 'x',
    jwks_uri: 'https://ok.example/',
  })
  const refreshing = {
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: clientId,
    client_secret: 'x',
  }
  const faults = await faultsOf([
    ...authorizations.map(([name, asked]): [string, () => Promise<Response>] => [
      `/authorize ${name}`,
      async () =>
        await outsideRequest(`${world.address}/authorize?${new URLSearchParams(asked).toString()}`, {
          redirect: 'manual',
        }),
    ]),
    ...[...spoilt(fields), ...spoilt(refreshing)].map(([name, sent]): [string, () => Promise<Response>] => [
      `/token ${name}`,
      async () => await world.token(sent),
    ]),
    ...spoilt({ token: code, token_type_hint: 'refresh_token', client_id: clientId }).map(
      ([name, sent]): [string, () => Promise<Response>] => [
        `/revoke ${name}`,
        async () => await outsideRequest(`${world.address}/revoke`, formOf(sent)),
      ],
    ),
    ...registrations.map(([name, sent]): [string, () => Promise<Response>] => [
      `/register ${name}`,
      async () => await world.register(sent),
    ]),
    ...[[`${REDIRECT}${NUL}`], [NUL], [REDIRECT, `own.scheme:/${NUL}`]].map(
      (uris): [string, () => Promise<Response>] => [
        `/register ${JSON.stringify(uris)}`,
        async () => await world.register({ redirect_uris: uris }),
      ],
    ),
  ])

  expect(authorizations.length).toBeGreaterThan(30)
  expect(faults).toEqual([])
})

test('a server address with a trailing NUL, which URL parsing drops, belongs to no server', async () => {
  const { url } = world.authorization(await world.registered(), `${server}${NUL}`)
  const away = await openScriptedBrowser().go(url, [REDIRECT])

  expect(away.url.searchParams.get('error')).toBe('invalid_target')
})

test('a NUL in any field does not cause an error on the consent pages', async () => {
  const browser = openScriptedBrowser()
  const { url } = world.authorization(await world.registered(), server)
  const reader = await browser.go(url, [REDIRECT])
  const portal = `${world.address}/mcp/portal`
  const consent = await member.go(world.authorization(await world.registered(), portal).url, [REDIRECT])
  const forms: [string, MemberBrowser, string, Record<string, string>][] = [
    ['reader', browser, reader.url.href, { ...fieldsOf(reader.html), decision: 'allow', provider: 'oidc' }],
    ['member', member, consent.url.href, { ...fieldsOf(consent.html), decision: 'allow', base: 'x' }],
  ]
  const queries = [
    '/connect/%00',
    '/connect/%00/done',
    '/connect/back/%00',
    '/connect/back/oidc?state=%00&code=%00',
    '/account/connected-tools/%00',
    '/account/connected-tools?x=%00',
  ]
  const faults = await faultsOf([
    ...forms.flatMap(([who, from, address, fields]) =>
      spoilt(fields)
        .filter(([, sent]) => sent['decision'] === 'allow')
        .map(([name, sent]): [string, () => Promise<Response>] => [
          `${who} ${name}`,
          async () => await from.request(address, formOf(sent)),
        ]),
    ),
    ...queries.map((path): [string, () => Promise<Response>] => [
      path,
      async () => await member.request(`${world.address}${path}`),
    ]),
    ['the query of a page', async () => await browser.request(`${reader.url.href}?x=%00`)],
  ])

  expect(forms.map(([, , , fields]) => Object.keys(fields).length)).toEqual([3, 4])
  expect(faults).toEqual([])
})
