import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import type { Plan } from './plans.ts'

let api: TestManagement

beforeAll(async () => {
  api = await openTestManagement()
})
afterAll(() => api.close())

async function join(plan: Plan) {
  const caller = await api.joinWorkspace({ plan })
  const { token } = await api.accessTokens.create(caller, {
    name: 'x',
    scopes: ['admin'],
    expiresAt: undefined,
  })
  const send = (method: string, path: string, body?: unknown) => api.send(method, path, body, token)
  const create = (name = 'Docs') => send('POST', '/knowledge-bases', { name })
  const createMany = async (count: number) =>
    tally(await Promise.all(Array.from({ length: count }, () => create())))
  const active = async () =>
    (await send('GET', '/knowledge-bases?status=active&limit=200')).body['data'] as { id: string }[]
  return { ...caller, send, create, createMany, active }
}

/** How often each outcome occurred: `{ 201: 1, PROJECT_LIMIT_REACHED: 49 }`. */
function tally(answers: { status: number; body: Record<string, unknown> }[]): Record<string, number> {
  const outcomes = answers.map(({ status, body }) => (status < 300 ? String(status) : String(body['code'])))
  return Object.fromEntries(
    [...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, each]) => [outcome, each.length]),
  )
}

verifies(
  ['plans.free-one', 'plans.pro-five', 'plans.holds-in-parallel'],
  'of 50 parallel creations exactly one succeeds on the Free plan, and five on Pro',
  async () => {
    const free = await join('free')
    const pro = await join('pro')
    expect(await free.createMany(50)).toEqual({ 201: 1, PROJECT_LIMIT_REACHED: 49 })
    expect(await pro.createMany(50)).toEqual({ 201: 5, PROJECT_LIMIT_REACHED: 45 })
    expect(await free.create()).toMatchObject({ status: 403, body: { code: 'PROJECT_LIMIT_REACHED' } })
    expect(await free.active()).toHaveLength(1)
    expect(await pro.active()).toHaveLength(5)
  },
  60_000,
)

verifies('plans.enterprise-unlimited', 'the Enterprise plan has no limit of knowledge bases', async () => {
  expect(await (await join('enterprise')).createMany(12)).toEqual({ 201: 12 })
})

verifies(
  ['plans.archived-not-counted', 'plans.holds-in-parallel'],
  'archived bases do not count; of 20 parallel restores as many succeed as the limit allows',
  async () => {
    const pro = await join('pro')
    const archived: string[] = []
    for (let count = 0; count < 20; count += 1) {
      const { body } = await pro.create()
      archived.push(String(body['id']))
      expect((await pro.send('POST', `/knowledge-bases/${String(body['id'])}/archive`)).status).toBe(200)
    }
    await pro.createMany(3)

    const restored = await Promise.all(
      archived.map((id) => pro.send('POST', `/knowledge-bases/${id}/restore`)),
    )

    expect(tally(restored)).toEqual({ 200: 2, PROJECT_LIMIT_REACHED: 18 })
    expect(await pro.active()).toHaveLength(5)
    const [first] = await pro.active()
    await pro.send('POST', `/knowledge-bases/${first?.id ?? ''}/archive`)
    const mixed = [
      ...archived.slice(0, 10).map((id) => pro.send('POST', `/knowledge-bases/${id}/restore`)),
      ...Array.from({ length: 10 }, () => pro.create()),
    ]
    await Promise.all(mixed)
    expect(await pro.active()).toHaveLength(5)
  },
  60_000,
)

verifies(
  'plans.source-groups',
  'below Enterprise no source group is created, also not by 50 parallel requests',
  async () => {
    for (const plan of ['free', 'pro'] as const) {
      const owner = await join(plan)
      const base = String((await owner.create()).body['id'])
      const groups = Array.from({ length: 50 }, () =>
        owner.send('POST', `/knowledge-bases/${base}/source-groups`, { name: 'v2' }),
      )
      expect(tally(await Promise.all(groups))).toEqual({ PLAN_REQUIRED: 50 })
      expect((await owner.send('GET', `/knowledge-bases/${base}/source-groups`)).body['data']).toEqual([])
    }
    const owner = await join('enterprise')
    const base = String((await owner.create()).body['id'])
    expect((await owner.send('POST', `/knowledge-bases/${base}/source-groups`, { name: 'v2' })).status).toBe(
      201,
    )
  },
)

verifies(
  'plans.changed-plan',
  'a changed plan applies at the next creation, and removes nothing',
  async () => {
    const owner = await join('free')
    const path = `/workspaces/${owner.workspaceId}`
    await owner.create()
    expect((await owner.create()).status).toBe(403)
    await api.ask('PATCH', path, { plan: 'pro' })
    expect(await owner.createMany(9)).toEqual({ 201: 4, PROJECT_LIMIT_REACHED: 5 })
    await api.ask('PATCH', path, { plan: 'free' })
    expect(await owner.active()).toHaveLength(5)
    expect((await owner.create()).status).toBe(403)
  },
)
