import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { bodyOf, parametersOf, pathWith } from '../../test/authorization-requests.ts'
import { inWorkingOrder, MAY_CONFLICT, type TeamEndpoint } from '../../test/authorization-order.ts'
import {
  createAuthorizationWorld,
  type AuthorizationWorld,
  type Person,
  type Realm,
} from '../../test/authorization-world.ts'
import { snapshotStorage } from '../../test/snapshot-storage.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

const TEAM = ALL_ENDPOINTS.filter((endpoint): endpoint is TeamEndpoint => endpoint.caller === 'access-token')

const ofOperator = ({ permission }: TeamEndpoint) => permission === 'operate'
const ofAdministration = ({ path, permission }: TeamEndpoint) =>
  path.startsWith('/api/v1/workspaces/') && permission === 'administer'
/** Tokens and connected tools are their person's, whatever the person may do elsewhere. */
const isOwn = ({ path }: TeamEndpoint) => /^\/api\/v1\/(?:access-tokens|me)(?:\/|$)/.test(path)
const ownRecords = TEAM.filter((endpoint) => isOwn(endpoint) && parametersOf(endpoint).length > 0)
const changesOfBase = TEAM.filter(
  (endpoint) => ['config', 'edit-config'].includes(endpoint.permission) && !isOwn(endpoint),
)

let citewell: TestService
let world: AuthorizationWorld
let home: Realm

beforeAll(async () => {
  citewell = await startTestService()
  world = createAuthorizationWorld(citewell)
  home = await world.addRealm(await world.addWorkspace())
}, 120_000)
afterAll(() => citewell[Symbol.asyncDispose]())

/** Sends valid requests of this person, which are all refused with this status, and change nothing in the storage. */
async function expectRefusals(
  { token }: Person,
  tried: readonly TeamEndpoint[],
  status: number,
): Promise<void> {
  const before = await snapshotStorage(citewell.storage)
  const wrong: unknown[] = []
  for (const endpoint of tried) {
    const path = pathWith(endpoint, home.records)
    const answer = await world.send(endpoint.method, path, { token, body: bodyOf(endpoint, home.records) })
    if (answer.status !== status) wrong.push([endpoint.operationId, answer.status, answer.text.slice(0, 200)])
  }
  expect(tried).not.toHaveLength(0)
  expect(wrong).toEqual([])
  expect(await snapshotStorage(citewell.storage)).toEqual(before)
}

verifies(
  ['permissions.config', 'permissions.edit-config', 'permissions.instance-operator'],
  'what a member was granted on a base, or may do while the members switch is on, is nothing in the workspace’s administration, and an admin operates nothing',
  async () => {
    const base = `/api/v1/knowledge-bases/${home.records['knowledge-bases']}`
    const asOwner = async (method: string, path: string, body: object) =>
      (await world.send(method, path, { token: home.owner.token, body })).status
    const member = await world.addPerson(home.workspaceId, 'member')
    const editor = await world.addPerson(home.workspaceId, 'member')
    const admin = await world.addPerson(home.workspaceId, 'admin')
    const everything = { permissions: ['config', 'chat'] }
    expect(await asOwner('PUT', `${base}/grants/${editor.userId}`, everything)).toBe(200)
    // Nothing but the requests below changes the storage.
    const running = "select id from simulations where status in ('queued', 'running')"
    await expect.poll(async () => await citewell.rows(running), { timeout: 30_000 }).toEqual([])
    const beyondBases = TEAM.filter((endpoint) => ofAdministration(endpoint) || ofOperator(endpoint))

    await expectRefusals(editor, beyondBases, 403)
    await expectRefusals(admin, TEAM.filter(ofOperator), 403)
    await expectRefusals(admin, ownRecords, 404)
    expect(await asOwner('PATCH', base, { workspace_members_can_chat: true })).toBe(200)
    await expectRefusals(member, [...beyondBases, ...changesOfBase], 403)
  },
  60_000,
)

verifies(
  'permissions.owners-may',
  'an admin is refused nowhere, but for what is another person’s own, and of the operator',
  async () => {
    const realm = await world.addRealm(await world.addWorkspace())
    const { token } = await world.addPerson(realm.workspaceId, 'admin')
    const isOfOwner = (endpoint: TeamEndpoint) =>
      isOwn(endpoint) || parametersOf(endpoint).some(({ noun }) => noun.endsWith('of the owner'))
    const tried = TEAM.filter((endpoint) => !ofOperator(endpoint) && !isOfOwner(endpoint))
    const wrong: unknown[] = []
    for (const endpoint of inWorkingOrder(tried)) {
      const { status, text } = await world.send(endpoint.method, pathWith(endpoint, realm.records), {
        token,
        body: bodyOf(endpoint, realm.records),
      })
      const isPatchOfServer = endpoint.operationId === 'updateMcpServer' && status === 400
      const isFine = status < 300 || (status === 409 && MAY_CONFLICT.has(endpoint.operationId))
      if (!isFine && !isPatchOfServer) wrong.push([endpoint.operationId, status, text.slice(0, 200)])
    }
    expect(wrong).toEqual([])
  },
  { timeout: 60_000, tags: ['long'] },
)
