import type { Endpoint } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { bodyOf, pathWith, type Records } from '../../test/authorization-requests.ts'
import {
  createAuthorizationWorld,
  type AuthorizationWorld,
  type Realm,
} from '../../test/authorization-world.ts'
import { snapshotStorage } from '../../test/snapshot-storage.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

const PUBLIC = ALL_ENDPOINTS.filter((endpoint) => endpoint.caller === 'public-key')

/** Endpoints that name nothing: they answer with what is of the key's own base. */
const NAME_NOTHING = ['listModels', 'getCaptchaChallenge']

/** A message of another base is refused as such, so that a page with two keys learns what it did wrong. */
const OF_OTHER_BASE: Record<string, number> = { giveFeedback: 403, withdrawFeedback: 403 }

const CLOSE_OF_STATUS: Record<number, number> = { 401: 4401, 403: 4403, 404: 4404 }

let citewell: TestService
let world: AuthorizationWorld
let home: Realm
let foreign: Realm
let neighbour: Realm

beforeAll(async () => {
  citewell = await startTestService()
  world = createAuthorizationWorld(citewell)
  home = await world.addRealm(await world.addWorkspace())
  neighbour = await world.addRealm(home)
  foreign = await world.addRealm(await world.addWorkspace())
}, 120_000)
afterAll(() => citewell[Symbol.asyncDispose]())

/** The status that a request is answered with; a socket's by the code it is closed with. */
async function statusOf(
  endpoint: Endpoint,
  records: Records,
  headers: Record<string, string>,
): Promise<number> {
  const path = pathWith(endpoint, records)
  if (endpoint.answer.status !== 101) {
    const { status } = await world.send(endpoint.method, path, { headers, body: bodyOf(endpoint, records) })
    return status
  }
  const code = await closeCodeOf(path, headers['x-client-key'] ?? '')
  return Number(Object.entries(CLOSE_OF_STATUS).find(([, close]) => close === code)?.[0] ?? code)
}

async function closeCodeOf(path: string, key: string): Promise<number> {
  const socket = new WebSocket(new URL(path, citewell.address.replace('http', 'ws')))
  return await new Promise((resolve) => {
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', client_key: key })))
    socket.addEventListener('message', () => socket.close(1000))
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
}

async function expectStatus(
  tried: readonly Endpoint[],
  given: { records: Records; headers: Record<string, string> },
  statusFor: (endpoint: Endpoint) => number,
): Promise<void> {
  const before = await snapshotStorage(citewell.storage)
  const wrong: unknown[] = []
  for (const endpoint of tried) {
    const status = await statusOf(endpoint, given.records, given.headers)
    const expected = statusFor(endpoint)
    if (status !== expected) wrong.push({ operationId: endpoint.operationId, status, expected })
  }
  expect(tried).not.toHaveLength(0)
  expect(wrong).toEqual([])
  expect(await snapshotStorage(citewell.storage)).toEqual(before)
}

verifies(
  'permissions.public-no-key',
  'every public endpoint refuses a request without a key, with a revoked or mistyped one, and an access token',
  async () => {
    const { token } = home.owner
    for (const headers of [
      {},
      { 'x-client-key': home.revokedKey },
      { 'x-client-key': `${home.key.slice(0, -1)}!` },
      { 'x-client-key': token },
      { authorization: `Bearer ${token}` },
    ]) {
      await expectStatus(PUBLIC, { records: home.records, headers }, () => 401)
    }
  },
  60_000,
)

verifies(
  'widgets.key.stays-limited',
  'what gives a page its key gives that of the named base alone, and nothing of a closed one',
  async () => {
    const keyless = ALL_ENDPOINTS.filter(
      ({ caller, path }) => caller === 'nobody' && path.startsWith('/api/v1/public/'),
    )
    // A new endpoint of this kind needs tests of its own with every wrong request.
    expect(keyless.map(({ operationId }) => operationId)).toEqual(['getWidgetKey', 'getKeyOfSavedWidget'])
    for (const endpoint of keyless) {
      for (const realm of [home, neighbour, foreign]) {
        const { status, body } = await world.send(endpoint.method, pathWith(endpoint, realm.records), {})
        expect([status, body]).toEqual([
          200,
          { knowledge_base_id: realm.records['knowledge-bases'], client_key: realm.key },
        ])
      }
    }
  },
)

verifies(
  'permissions.public-other-base',
  'a key opens nothing of another base, of its own workspace or another, whatever a path or body names',
  async () => {
    const tried = PUBLIC.filter(({ operationId }) => !NAME_NOTHING.includes(operationId))
    for (const other of [neighbour, foreign]) {
      const headers = { 'x-client-key': other.key }
      await expectStatus(
        tried,
        { records: home.records, headers },
        ({ operationId }) => OF_OTHER_BASE[operationId] ?? 404,
      )
    }
    const models = await world.send('GET', '/api/v1/public/openai/models', {
      headers: { 'x-client-key': foreign.key },
    })
    const bearer = { authorization: `Bearer ${foreign.key}` }
    const ownModels = await world.send('GET', '/api/v1/public/openai/models', { headers: bearer })
    expect([models.body['data'], ownModels.body['data']].flat().filter(Boolean)).toMatchObject(
      [models, ownModels].flatMap(({ status }) =>
        status === 200 ? [{ id: foreign.records['knowledge-bases'] }] : [],
      ),
    )
  },
  60_000,
)

verifies(
  ['permissions.public-internal-archived'],
  'no public endpoint answers from a base that was archived or turned internal',
  async () => {
    const { token } = home.owner
    const base = `/api/v1/knowledge-bases/${neighbour.records['knowledge-bases']}`
    const headers = { 'x-client-key': neighbour.key }
    expect((await world.send('POST', `${base}/archive`, { token })).status).toBe(200)
    await expectStatus(PUBLIC, { records: neighbour.records, headers }, () => 403)
    expect((await world.send('POST', `${base}/restore`, { token })).status).toBe(200)
    expect((await world.send('PATCH', base, { token, body: { type: 'internal' } })).status).toBe(200)
    await expectStatus(PUBLIC, { records: neighbour.records, headers }, () => 403)
  },
  60_000,
)

verifies('permissions.public-no-key', 'the same requests are answered with the key of the base', async () => {
  const refused: unknown[] = []
  for (const endpoint of PUBLIC) {
    const isOpenAi = endpoint.wireFormat === 'openai'
    const headers = isOpenAi ? { authorization: `Bearer ${home.key}` } : { 'x-client-key': home.key }
    if (endpoint.answer.status === 101) {
      expect(await closeCodeOf(pathWith(endpoint, home.records), home.key)).toBe(1000)
      continue
    }
    const status = await statusOf(endpoint, home.records, headers)
    // There is nothing to solve where CAPTCHA is off.
    const isFine = status < 300 || (status === 400 && endpoint.operationId === 'getCaptchaChallenge')
    if (!isFine) refused.push({ operationId: endpoint.operationId, status })
  }
  expect(refused).toEqual([])
})
