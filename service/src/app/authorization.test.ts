import type { Endpoint, TokenScope } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { bodyOf, parametersOf, pathWith, type Records } from '../../test/authorization-requests.ts'
import {
  createAuthorizationWorld,
  HARMLESS,
  UNREADABLE,
  type AuthorizationWorld,
  type Person,
  type Realm,
} from '../../test/authorization-world.ts'
import {
  CHANGE_NOTHING,
  inWorkingOrder,
  MAY_CONFLICT,
  type TeamEndpoint,
} from '../../test/authorization-order.ts'
import { snapshotStorage } from '../../test/snapshot-storage.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

const TEAM = ALL_ENDPOINTS.filter((endpoint): endpoint is TeamEndpoint => endpoint.caller === 'access-token')

/** Endpoints that name no record: each answers its caller about what is the caller's own, which another test looks at. */
const ABOUT_THE_CALLER = [
  'listKnowledgeBases',
  'createKnowledgeBase',
  'getMe',
  'deleteMe',
  'listAccessTokens',
  'createAccessToken',
  'endMySessions',
  'listConnectedTools',
  'listMyConversations',
  'listMySessions',
]

let citewell: TestService
let world: AuthorizationWorld
let home: Realm
let foreign: Realm
let member: Person
/** An install for others: strangers reach it at a public address, through a proxy of the same machine. */
let hosted: { citewell: TestService; world: AuthorizationWorld; home: Realm; foreign: Realm; member: Person }

beforeAll(async () => {
  citewell = await startTestService()
  world = createAuthorizationWorld(citewell)
  home = await world.addRealm(await world.addWorkspace())
  foreign = await world.addRealm(await world.addWorkspace())
  member = await world.addPerson(home.workspaceId, 'member')
  hosted = await openHosted()
  await settle()
}, 180_000)
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await hosted.citewell[Symbol.asyncDispose]()
})

async function openHosted(): Promise<typeof hosted> {
  const service = await startTestService({
    CITEWELL_PUBLIC_URL: 'https://answers.example.com',
    HOST: '127.0.0.1',
    CITEWELL_ALLOW_PRIVATE_NETWORK: 'false',
  })
  const its = createAuthorizationWorld(service)
  const at = await its.addRealm(await its.addWorkspace())
  return {
    citewell: service,
    world: its,
    home: at,
    foreign: await its.addRealm(await its.addWorkspace()),
    member: await its.addPerson(at.workspaceId, 'member'),
  }
}

/** What goes on in the background is over: nothing but the requests of a test changes the storage. */
async function settle(): Promise<void> {
  const open = "select id from simulations where status in ('queued', 'running')"
  for (let tries = 0; tries < 600 && (await citewell.rows(open)).length > 0; tries += 1) {
    await new Promise((wake) => {
      setTimeout(wake, 50)
    })
  }
}

/** Sends a request to each endpoint that says how it should be refused, and compares: statuses, codes, and the whole storage. */
async function expectRefusals(
  tried: readonly TeamEndpoint[],
  attempt: (endpoint: TeamEndpoint) => { token?: string | undefined; records?: Records },
  refusalOf: (endpoint: TeamEndpoint) => { status: number; code: string },
): Promise<void> {
  const before = await snapshotStorage(citewell.storage)
  const wrong: unknown[] = []
  for (const endpoint of tried) {
    const { token, records = home.records } = attempt(endpoint)
    const path = pathWith(endpoint, records)
    const { status, body } = await world.send(endpoint.method, path, {
      token,
      body: bodyOf(endpoint, home.records),
    })
    const expected = refusalOf(endpoint)
    if (status !== expected.status || body['code'] !== expected.code) {
      wrong.push({ operationId: endpoint.operationId, status, code: body['code'], expected: expected.code })
    }
  }
  expect(tried).not.toHaveLength(0)
  expect(wrong).toEqual([])
  expect(await snapshotStorage(citewell.storage)).toEqual(before)
}

const unauthenticated = () => ({ status: 401, code: 'UNAUTHENTICATED' })
const forbidden = () => ({ status: 403, code: 'FORBIDDEN' })
const notFound = () => ({ status: 404, code: 'NOT_FOUND' })

const namesRecord = (endpoint: Endpoint) => parametersOf(endpoint).length > 0

verifies(
  'permissions.every-endpoint-is-tried',
  'an endpoint that names no record is the operator’s, or known here',
  () => {
    const nameless = TEAM.filter((endpoint) => !namesRecord(endpoint) && endpoint.permission !== 'operate')
    // A new one of these: add it to ABOUT_THE_CALLER, and to the test that looks at what it answers.
    expect(nameless.map(({ operationId }) => operationId).toSorted()).toEqual(ABOUT_THE_CALLER.toSorted())
  },
)

verifies(
  'permissions.no-token',
  'without a token every management endpoint refuses, and changes nothing',
  async () => {
    await expectRefusals(TEAM, () => ({}), unauthenticated)
  },
)

verifies(
  ['permissions.ended-token', 'access-tokens.expire', 'access-tokens.deleted-at-once'],
  'a token that has expired, was deleted or was never there opens nothing',
  async () => {
    const { userId, token } = home.owner
    const expired = await world.addToken(userId, { expiresAt: new Date(Date.now() - 1_000) })
    const deleted = (await world.send('POST', '/api/v1/access-tokens', { token, body: { name: 'gone' } }))
      .body
    await world.send('DELETE', `/api/v1/access-tokens/${String(deleted['id'])}`, { token })

    for (const ended of [expired, String(deleted['token']), 'cw_pat_never', home.key]) {
      await expectRefusals(TEAM, () => ({ token: ended }), unauthenticated)
    }
  },
  60_000,
)

verifies(
  ['permissions.other-workspace', 'permissions.instance-operator'],
  'the owner of another workspace is told that nothing is there, and of the instance nothing',
  async () => {
    const tried = TEAM.filter((endpoint) => !ABOUT_THE_CALLER.includes(endpoint.operationId))
    await expectRefusals(
      tried,
      () => ({ token: foreign.owner.token }),
      (endpoint) => (endpoint.permission === 'operate' ? forbidden() : notFound()),
    )
  },
)

verifies(
  'permissions.own-things',
  'an endpoint about the caller tells and changes nothing of others',
  async () => {
    const { token, userId } = foreign.owner
    const list = await world.send('GET', '/api/v1/knowledge-bases', { token })
    const tokens = await world.send('GET', '/api/v1/access-tokens', { token })
    const me = await world.send('GET', '/api/v1/me', { token })
    const tools = await world.send('GET', '/api/v1/me/connected-tools', { token })
    const asked = await world.send('GET', '/api/v1/me/conversations', { token })
    const sessions = await world.send('GET', '/api/v1/me/sessions', { token })
    const before = await snapshotStorage(citewell.storage)
    const made = await world.send('POST', '/api/v1/knowledge-bases', {
      token,
      body: { name: 'Intruder', workspace_id: home.workspaceId },
    })

    expect(list.body['data']).toMatchObject([{ id: foreign.records['knowledge-bases'] }])
    expect(new Set((tokens.body['data'] as { user_id: string }[]).map((one) => one.user_id))).toEqual(
      new Set([userId]),
    )
    expect(sessions.body['data']).toMatchObject([{ id: foreign.records['sessions'], is_current: false }])
    expect(asked.body['data']).toMatchObject([{ id: foreign.records['conversations of the owner'] }])
    expect(tools.body['data']).toMatchObject([{ id: foreign.records['connected-tools'] }])
    expect(me.body).toMatchObject({
      user: { id: userId },
      workspaces: [{ id: foreign.workspaceId, role: 'owner' }],
    })
    expect(made).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await snapshotStorage(citewell.storage)).toEqual(before)
  },
)

const ofBase = (endpoint: TeamEndpoint) =>
  namesRecord(endpoint) && !endpoint.path.startsWith('/api/v1/workspaces/')
const ofWorkspace = (endpoint: TeamEndpoint) =>
  endpoint.path.startsWith('/api/v1/workspaces/') && endpoint.permission === 'administer'
const ofOperator = (endpoint: TeamEndpoint) => endpoint.permission === 'operate'
/** Tokens and connected tools are their person's, whatever the person may do elsewhere. */
const isOwnRecord = (endpoint: TeamEndpoint) => /^\/api\/v1\/(?:access-tokens|me)\//.test(endpoint.path)

verifies(
  ['permissions.chat', 'permissions.members-switch', 'permissions.listed'],
  'a member reaches nothing of a base whose members switch is off, and nothing of the workspace’s administration',
  async () => {
    const tried = TEAM.filter((endpoint) => ofBase(endpoint) || ofWorkspace(endpoint) || ofOperator(endpoint))
    await expectRefusals(
      tried,
      () => ({ token: member.token }),
      (endpoint) => (isOwnRecord(endpoint) ? notFound() : forbidden()),
    )
    const listed = await world.send('GET', '/api/v1/knowledge-bases', { token: member.token })
    expect(listed.body['data']).toEqual([])
  },
)

verifies(
  [
    'permissions.config',
    'permissions.edit-config',
    'permissions.grants',
    'permissions.archive-restore-delete',
    'permissions.webhooks-need-config',
  ],
  'a member who was granted Chat reads and asks, one who was granted Config also changes, none archives or deletes',
  async () => {
    const [base, owner] = [home.records['knowledge-bases'], home.owner.token]
    const grant = (userId: string, permissions: string[]) =>
      world.send('PUT', `/api/v1/knowledge-bases/${base}/grants/${userId}`, {
        token: owner,
        body: { permissions },
      })
    const asker = await world.addPerson(home.workspaceId, 'member')
    const editor = await world.addPerson(home.workspaceId, 'member')
    expect((await grant(asker.userId, ['chat'])).status).toBe(200)
    expect((await grant(editor.userId, ['config'])).status).toBe(200)
    const bases = TEAM.filter((endpoint) => ofBase(endpoint) && !isOwnRecord(endpoint))
    const needs = (...permissions: string[]) =>
      bases.filter(({ permission }) => permissions.includes(permission))

    await expectRefusals(needs('config', 'edit-config'), () => ({ token: asker.token }), forbidden)
    await expectRefusals(needs('edit-config', 'chat'), () => ({ token: editor.token }), forbidden)

    for (const [person, permission] of [
      [asker, 'chat'],
      [editor, 'config'],
    ] as const) {
      for (const endpoint of needs('member', permission).filter(({ method }) => method === 'GET')) {
        const { status } = await world.send('GET', pathWith(endpoint, home.records), { token: person.token })
        expect({ operationId: endpoint.operationId, status }).toEqual({
          operationId: endpoint.operationId,
          status: 200,
        })
      }
      const { body } = await world.send('GET', '/api/v1/knowledge-bases', { token: person.token })
      expect(body['data']).toMatchObject([{ id: base }])
    }
  },
)

verifies(
  ['permissions.scopes', 'access-tokens.scopes'],
  'a token of a lesser scope than an endpoint needs does nothing there, though its person may',
  async () => {
    const scopes: TokenScope[] = ['read', 'config', 'admin']
    const { userId } = home.owner
    const lesser = new Map<TokenScope, string>()
    for (const [at, scope] of scopes.entries()) {
      lesser.set(scope, await world.addToken(userId, { scopes: scopes.slice(Math.max(0, at - 1), at) }))
    }
    await expectRefusals(TEAM, ({ scope }) => ({ token: lesser.get(scope) }), forbidden)
  },
)

verifies(
  'permissions.foreign-ids',
  'an id of another workspace or base in a path finds nothing, in whichever place of the path it stands',
  async () => {
    for (const place of [0, 1]) {
      const tried = TEAM.filter((endpoint) => parametersOf(endpoint)[place] !== undefined)
      await expectRefusals(
        tried,
        (endpoint) => {
          const noun = parametersOf(endpoint)[place]?.noun ?? ''
          const id = place === 1 && noun === 'external_id' ? 'of-no-document' : (foreign.records[noun] ?? '')
          return { token: home.owner.token, records: { ...home.records, [noun]: id } }
        },
        (endpoint) => (endpoint.permission === 'operate' ? forbidden() : notFound()),
      )
    }
  },
)

verifies(
  ['activity-log.every-change', 'permissions.owners-may'],
  'the owner is refused nowhere, and each change that was made is one entry of the activity log',
  async () => {
    const realm = await world.addRealm(await world.addWorkspace())
    await settle()
    const entries = async () =>
      (await citewell.rows(`select action from activity_log where workspace_id = '${realm.workspaceId}'`))
        .length
    const wrong: unknown[] = []
    let before = await entries()
    for (const endpoint of inWorkingOrder(TEAM.filter(({ permission }) => permission !== 'operate'))) {
      const { status, text } = await world.send(endpoint.method, pathWith(endpoint, realm.records), {
        token: realm.owner.token,
        body: bodyOf(endpoint, realm.records),
      })
      const expected =
        endpoint.method === 'GET' || CHANGE_NOTHING.has(endpoint.operationId) || status >= 300 ? 0 : 1
      const after = await entries()
      const added = after - before
      before = after
      const isFine = status < 300 || (status === 409 && MAY_CONFLICT.has(endpoint.operationId))
      const isPatchOfServer = endpoint.operationId === 'updateMcpServer' && status === 400
      if (!(isFine || isPatchOfServer) || added !== expected) {
        wrong.push({ operationId: endpoint.operationId, status, added, expected, text: text.slice(0, 300) })
      }
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

const ofSource = TEAM.filter(({ path }) => path.startsWith('/api/v1/sources/{id}'))

verifies(
  'permissions.local-and-ssh',
  'a source of a folder or by ssh is closed to others at every endpoint, in an install behind a proxy too',
  async () => {
    const wrong: unknown[] = []
    for (const install of [{ world, home, foreign, member }, hosted]) {
      for (const kind of Object.keys(UNREADABLE)) {
        const id = install.home.records[`sources ${kind}`] ?? ''
        const records = { ...install.home.records, sources: id, 'sources of files': id }
        for (const endpoint of ofSource) {
          for (const [token, expected] of [
            [undefined, 401],
            [install.member.token, 403],
            [install.foreign.owner.token, 404],
          ] as const) {
            const { status, text } = await install.world.send(endpoint.method, pathWith(endpoint, records), {
              token,
              body: bodyOf(endpoint, install.home.records),
            })
            if (status !== expected)
              wrong.push({ operationId: endpoint.operationId, kind, status, expected, text })
          }
        }
      }
    }
    expect(ofSource).not.toHaveLength(0)
    expect(wrong).toEqual([])
  },
  60_000,
)

/** Of these only the second is not there. */
const FOLDERS = ['/etc/passwd', '/no/such/file', '/proc/self/environ'] as const

/** Each address of a folder or a private host in the fields that take one. */
const unreadableSources = (names: { path: string; host: string }) => [
  ...[names.path, `file://${names.path}`].flatMap((url) => [
    { type: 'repository', config: { url } },
    { type: 'openapi', config: { url } },
  ]),
  { type: 'repository', config: { url: `ssh://git@${names.host}:4100/docs` } },
  { type: 'repository', config: { url: `git@${names.host}:docs.git` } },
  { type: 'repository', config: { url: `git://${names.host}/docs` } },
  { type: 'repository', config: { url: `http://${names.host}/docs.git` } },
  { type: 'openapi', config: { url: `http://${names.host}/openapi.json` } },
  { type: 'website', config: { start_urls: [`http://${names.host}/`] } },
  { type: 'sitemap', config: { sitemap_url: `http://${names.host}/sitemap.xml` } },
]

verifies(
  ['permissions.local-and-ssh', 'sources.local-paths', 'sources.private-hosts'],
  'nobody saves, previews, changes or syncs a source of a folder or a private host, not even who has every right',
  async () => {
    const { world: its, home: at } = hosted
    // Any member may make a base, and has every right there.
    const own = await its.send('POST', '/api/v1/knowledge-bases', {
      token: hosted.member.token,
      body: { name: 'Own docs', workspace_id: at.workspaceId },
    })
    const people = [
      { token: hosted.member.token, base: String(own.body['id']) },
      { token: at.owner.token, base: at.records['knowledge-bases'] ?? '' },
    ]
    const operator = hosted.citewell.service.operatorToken
    const operatorsBase = await its.send('POST', '/api/v1/knowledge-bases', {
      token: operator,
      body: { name: 'Operator' },
    })
    people.push({ token: operator, base: String(operatorsBase.body['id']) })
    const told = new Map<string, Set<string>>()
    for (const { token, base } of people) {
      const sources = `/api/v1/knowledge-bases/${base}/sources`
      const made = new Map<string, string>()
      for (const [type, config] of Object.entries(HARMLESS)) {
        const source = await its.send('POST', sources, { token, body: { type, name: 'docs', config } })
        made.set(type, String(source.body['id']))
      }
      const tried = [
        ...unreadableSources({ path: FOLDERS[0], host: '127.0.0.1' }),
        ...unreadableSources({ path: FOLDERS[1], host: '[::1]' }),
        ...unreadableSources({ path: FOLDERS[2], host: 'localhost' }),
      ]
      for (const { type, config } of tried) {
        const fields = JSON.stringify(config)
        const id = made.get(type) ?? ''
        const named = FOLDERS.find((name) => fields.includes(name))
        const requests = [
          ['POST', sources, { type, name: 'docs', config }],
          ['POST', `${sources}/preview`, { type, config }],
          ['PATCH', `/api/v1/sources/${id}`, { config }],
        ] as const
        for (const [method, path, body] of requests) {
          const answer = await its.send(method, path, { token, body })
          expect({ fields, method, path, status: answer.status }).toMatchObject({ status: 400 })
          if (named === undefined) continue
          const { request_id: _id, ...words } = answer.body
          const way = `${type} ${method} ${path.replace(id, 'id').split('/').at(-1)} ${fields.replace(named, 'PATH')}`
          told.set(way, (told.get(way) ?? new Set()).add(JSON.stringify(words).replaceAll(named, 'PATH')))
        }
      }
    }
    // The same words for what is there and what is not.
    expect(told.size).toBe(12)
    for (const [way, words] of told)
      expect([way, [...words]]).toEqual([way, [expect.stringContaining('CITEWELL_LOCAL_PATHS')]])
    for (const kind of Object.keys(UNREADABLE)) {
      const path = `/api/v1/sources/${at.records[`sources ${kind}`]}/sync`
      expect(await its.send('POST', path, { token: at.owner.token })).toMatchObject({ status: 400 })
    }
  },
  60_000,
)
