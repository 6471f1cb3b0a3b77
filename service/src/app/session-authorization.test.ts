import type { Endpoint } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { bodyOf, parametersOf, pathWith } from '../../test/authorization-requests.ts'
import {
  createAuthorizationWorld,
  type AuthorizationWorld,
  type Realm,
} from '../../test/authorization-world.ts'
import { inWorkingOrder, MAY_CONFLICT, type TeamEndpoint } from '../../test/authorization-order.ts'
import { beginSession } from '../../test/begin-session.ts'
import { snapshotStorage } from '../../test/snapshot-storage.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

const TEAM = ALL_ENDPOINTS.filter((endpoint): endpoint is TeamEndpoint => endpoint.caller === 'access-token')
const CHANGES = TEAM.filter(({ method }) => method !== 'GET')
const namesRecord = (endpoint: Endpoint) => parametersOf(endpoint).length > 0

interface Browser {
  cookie: string
  csrf: string
}

let citewell: TestService
let world: AuthorizationWorld
let home: Realm
let foreign: Realm

beforeAll(async () => {
  citewell = await startTestService()
  world = createAuthorizationWorld(citewell)
  home = await world.addRealm(await world.addWorkspace())
  foreign = await world.addRealm(await world.addWorkspace())
}, 180_000)
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

/** A browser in which this person is signed in, with the CSRF token that its pages read. */
async function signIn(userId: string): Promise<Browser> {
  const cookie = `citewell_session=${await beginSession(citewell, userId)}`
  const me = await world.send('GET', '/api/v1/me', { headers: { cookie, ...SAME_SITE } })
  return { cookie, csrf: (me.body['session'] as { csrf: string }).csrf }
}

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }
const ofPage = ({ cookie, csrf }: Browser) => ({ cookie, 'x-citewell-csrf': csrf, ...SAME_SITE })

/** Sends every one of these requests, and compares statuses, codes, and the whole storage. */
async function expectRefusals(
  tried: readonly TeamEndpoint[],
  headers: Record<string, string>,
  refusalOf: (endpoint: TeamEndpoint) => { status: number; code: string },
): Promise<void> {
  const before = await snapshotStorage(citewell.storage)
  const wrong: unknown[] = []
  for (const endpoint of tried) {
    const { status, body } = await world.send(endpoint.method, pathWith(endpoint, home.records), {
      headers,
      body: bodyOf(endpoint, home.records),
    })
    const expected = refusalOf(endpoint)
    if (status !== expected.status || body['code'] !== expected.code)
      wrong.push({ operationId: endpoint.operationId, status, code: body['code'], expected })
  }
  expect(tried).not.toHaveLength(0)
  expect(wrong).toEqual([])
  expect(await snapshotStorage(citewell.storage)).toEqual(before)
}

const unauthenticated = () => ({ status: 401, code: 'UNAUTHENTICATED' })
const forbidden = () => ({ status: 403, code: 'FORBIDDEN' })

verifies(
  'permissions.session-csrf',
  'with the session of an owner no endpoint changes anything without its CSRF token, or with that of another session',
  async () => {
    const owner = await signIn(home.owner.userId)
    const again = await signIn(home.owner.userId)
    const { cookie } = owner

    await expectRefusals(CHANGES, { cookie, ...SAME_SITE }, forbidden)
    await expectRefusals(CHANGES, { ...ofPage(owner), 'x-citewell-csrf': again.csrf }, forbidden)
    await expectRefusals(CHANGES, { ...ofPage(owner), 'x-citewell-csrf': '' }, forbidden)
  },
  60_000,
)

verifies(
  'permissions.session-csrf',
  'with a session every endpoint refuses a page of another site, whatever it sends',
  async () => {
    const owner = ofPage(await signIn(home.owner.userId))
    await expectRefusals(TEAM, { ...owner, 'sec-fetch-site': 'cross-site' }, forbidden)
    await expectRefusals(TEAM, { ...owner, 'sec-fetch-site': 'same-site' }, forbidden)
    // Browsers that do not send Sec-Fetch-Site.
    const { 'sec-fetch-site': _, ...older } = owner
    await expectRefusals(CHANGES, { ...older, origin: 'https://evil.example' }, forbidden)
    await expectRefusals(CHANGES, { ...older, origin: 'null' }, forbidden)
  },
  60_000,
)

verifies(
  'permissions.sessions',
  'a session of another workspace finds nothing, one that has ended opens nothing, and none is the operator’s',
  async () => {
    const stranger = ofPage(await signIn(foreign.owner.userId))
    await expectRefusals(
      TEAM.filter((endpoint) => namesRecord(endpoint) || endpoint.permission === 'operate'),
      stranger,
      ({ permission }) => (permission === 'operate' ? forbidden() : { status: 404, code: 'NOT_FOUND' }),
    )
    const owner = ofPage(await signIn(home.owner.userId))
    await expectRefusals(
      TEAM.filter(({ permission }) => permission === 'operate'),
      owner,
      forbidden,
    )
    await expectRefusals(TEAM, { ...owner, cookie: 'citewell_session=never' }, unauthenticated)
    // A credential that was sent decides, and not the cookie beside it.
    await expectRefusals(TEAM, { ...owner, authorization: 'Bearer cw_pat_never' }, unauthenticated)
    await expectRefusals(TEAM, { ...owner, authorization: 'Basic eDp5' }, unauthenticated)
  },
  60_000,
)

verifies(
  'permissions.sessions',
  'a member who is removed from the workspace, or signed out, is out at the next request',
  async () => {
    const member = await world.addPerson(home.workspaceId, 'member')
    const browser = ofPage(await signIn(member.userId))
    const members = `/api/v1/workspaces/${home.workspaceId}/members`
    const bases = async () => await world.send('GET', '/api/v1/knowledge-bases', { headers: browser })
    expect((await world.send('GET', members, { headers: browser })).status).toBe(200)

    const path = `${members}/${member.userId}`
    expect((await world.send('DELETE', path, { token: home.owner.token })).status).toBe(204)
    expect((await bases()).status).toBe(401)

    const owner = ofPage(await signIn(home.owner.userId))
    expect((await world.send('DELETE', '/api/v1/me/sessions', { headers: owner })).status).toBe(204)
    expect((await world.send('GET', '/api/v1/me', { headers: owner })).status).toBe(401)
  },
)

verifies(
  'permissions.sessions',
  'a session does at every endpoint what its owner may do, and the activity log names the person and no token',
  async () => {
    const realm = await world.addRealm(await world.addWorkspace())
    const browser = ofPage(await signIn(realm.owner.userId))
    const wrong: unknown[] = []
    const last = ['endMySessions']
    const tried = inWorkingOrder(TEAM.filter(({ permission }) => permission !== 'operate'))
    for (const endpoint of tried.filter(({ operationId }) => !last.includes(operationId))) {
      const { status, text } = await world.send(endpoint.method, pathWith(endpoint, realm.records), {
        headers: browser,
        body: bodyOf(endpoint, realm.records),
      })
      const isFine = status < 300 || (status === 409 && MAY_CONFLICT.has(endpoint.operationId))
      const isPatchOfServer = endpoint.operationId === 'updateMcpServer' && status === 400
      if (!isFine && !isPatchOfServer)
        wrong.push({ operationId: endpoint.operationId, status, text: text.slice(0, 300) })
    }
    expect(wrong).toEqual([])
    const entries = await citewell.rows(
      `select distinct actor_user_id, actor_token_id from activity_log where workspace_id = '${realm.workspaceId}' and action = 'knowledge_base.deleted'`,
    )
    expect(entries).toEqual([{ actor_user_id: realm.owner.userId, actor_token_id: null }])
    const made = await world.send('POST', '/api/v1/access-tokens', {
      headers: browser,
      body: { name: 'from a page', scopes: ['read'] },
    })
    const own = await world.send('GET', '/api/v1/me', { token: String(made.body['token']) })
    expect(own.body).toMatchObject({ user: { id: realm.owner.userId }, session: null })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'permissions.sessions',
  'two sessions of a person may use the same idempotency key',
  async () => {
    const realm = await world.addRealm(await world.addWorkspace())
    const [one, other] = [await signIn(realm.owner.userId), await signIn(realm.owner.userId)]
    const create = async (browser: Browser) =>
      await world.send('POST', '/api/v1/knowledge-bases', {
        headers: { ...ofPage(browser), 'idempotency-key': 'same' },
        body: { name: 'Twice', workspace_id: realm.workspaceId },
      })
    const [first, repeated, ofOther] = [await create(one), await create(one), await create(other)]
    expect(first.status).toBe(201)
    expect(repeated.body['id']).toBe(first.body['id'])
    expect(ofOther.body['id']).not.toBe(first.body['id'])
  },
  { tags: ['long'] },
)
