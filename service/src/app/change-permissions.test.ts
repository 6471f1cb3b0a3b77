import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { createAuthorizationWorld, type AuthorizationWorld } from '../../test/authorization-world.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

let citewell: TestService
let world: AuthorizationWorld

beforeAll(async () => {
  citewell = await startTestService()
  world = createAuthorizationWorld(citewell)
})
afterAll(() => citewell[Symbol.asyncDispose]())

verifies(
  'permissions.edit-config',
  'the type and the members switch of a base are changed by owners and admins; who was granted Config changes the rest',
  async () => {
    const { workspaceId, owner } = await world.addWorkspace()
    const [admin, editor, asker] = [
      await world.addPerson(workspaceId, 'admin'),
      await world.addPerson(workspaceId, 'member'),
      await world.addPerson(workspaceId, 'member'),
    ]
    const made = await world.send('POST', '/api/v1/knowledge-bases', {
      token: owner.token,
      body: { name: 'Acme docs', workspace_id: workspaceId },
    })
    const base = `/api/v1/knowledge-bases/${String(made.body['id'])}`
    for (const [{ userId }, permission] of [
      [editor, 'config'],
      [asker, 'chat'],
    ] as const) {
      const grant = { token: owner.token, body: { permissions: [permission] } }
      expect((await world.send('PUT', `${base}/grants/${userId}`, grant)).status).toBe(200)
    }
    const change = async ({ token }: { token: string }, body: object) =>
      (await world.send('PATCH', base, { token, body })).status

    const needEditConfig = [
      { type: 'internal' },
      { type: 'external' },
      { workspace_members_can_chat: false },
      { workspace_members_can_chat: true },
      { tone: 'Short', workspace_members_can_chat: false },
    ]
    for (const body of needEditConfig) expect([body, await change(editor, body)]).toEqual([body, 403])
    expect(await change(editor, { tone: 'Short' })).toBe(200)
    expect(await change(asker, { tone: 'Long' })).toBe(403)
    for (const person of [admin, owner])
      for (const body of needEditConfig) expect([body, await change(person, body)]).toEqual([body, 200])
  },
)

const OF_OPERATORS = ALL_ENDPOINTS.filter(
  (endpoint) =>
    endpoint.caller === 'access-token' && endpoint.permission === 'operate' && endpoint.method !== 'GET',
)

verifies(
  'activity-log.every-change',
  'each change by an operator is in the log of the workspace that it concerns',
  async () => {
    const { workspaceId, owner } = await world.addWorkspace()
    const requests: Record<string, [path: string, body?: object]> = {
      createPasswordLink: ['/api/v1/password-links', { email: `${owner.userId}@example.com` }],
      suspendWorkspace: [`/api/v1/workspaces/${workspaceId}/suspend`],
      resumeWorkspace: [`/api/v1/workspaces/${workspaceId}/resume`],
      createWorkspace: ['/api/v1/workspaces', { name: 'Made', owner_email: 'made@example.com' }],
    }
    const named = OF_OPERATORS.map(({ operationId }) => operationId)
    expect(named.toSorted()).toEqual(Object.keys(requests).toSorted())
    const answers: Record<string, unknown>[] = []
    for (const [path, body] of Object.values(requests)) {
      const answer = await world.send('POST', path, { token: citewell.service.operatorToken, body })
      expect([path, answer.status]).toEqual([path, path === '/api/v1/workspaces' ? 201 : 200])
      answers.push(answer.body)
    }
    const actionsOf = async (id: unknown) => {
      const log = `select action from activity_log where workspace_id = '${String(id)}' order by sequence`
      return (await citewell.rows(log)).map(({ action }) => action)
    }
    expect(await actionsOf(workspaceId)).toEqual([
      'member.password_link_made',
      'workspace.suspended',
      'workspace.resumed',
    ])
    // Its owner is invited with it, which has an entry of its own.
    expect(await actionsOf(answers.at(-1)?.['id'])).toEqual(['workspace.created', 'member.invited'])
  },
)
