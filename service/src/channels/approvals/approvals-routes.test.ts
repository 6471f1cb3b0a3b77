import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startFakeReceiver, type FakeReceiver } from '../../../test/fake-webhook-receiver.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let receiver: FakeReceiver
let baseId: string
let agentId: string

beforeAll(async () => {
  citewell = await startTestService()
  receiver = await startFakeReceiver()
  baseId = (await post('/knowledge-bases', { name: 'Acme' })).id
  agentId = (await post(`/knowledge-bases/${baseId}/agent-apps`, { name: 'Refunds' })).id
  await post(`/knowledge-bases/${baseId}/webhook-triggers`, {
    name: 'Ours',
    url: `${receiver.origin}/hook`,
    events: ['approval.resolved'],
  })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const post = (path: string, body: unknown) =>
  citewell.json<{ id: string; [field: string]: unknown }>('POST', `/api/v1${path}`, body)
const decide = (id: string, body: unknown) => citewell.send('PATCH', `/api/v1/approvals/${id}`, body)
const ask = () =>
  post(`/knowledge-bases/${baseId}/approvals`, {
    agent_id: agentId,
    title: 'Reply to ticket 7',
    content: 'Your refund is on its way.',
  })

verifies('approvals.records', 'approvals are requested, listed by status, read and deleted', async () => {
  const approval = await ask()
  expect(approval).toMatchObject({
    knowledge_base_id: baseId,
    agent_id: agentId,
    kind: 'reply',
    status: 'pending',
    decision: null,
    decided_by: null,
  })
  const list = async (status: string) =>
    await citewell.json<{ data: object[] }>(
      'GET',
      `/api/v1/knowledge-bases/${baseId}/approvals?status=${status}`,
    )
  expect((await list('pending')).data).toEqual([approval])
  expect((await list('approved')).data).toEqual([])
  expect(await citewell.json('GET', `/api/v1/approvals/${approval.id}`)).toEqual(approval)
  expect((await citewell.send('DELETE', `/api/v1/approvals/${approval.id}`)).status).toBe(204)
  expect((await citewell.send('GET', `/api/v1/approvals/${approval.id}`)).status).toBe(404)
  const bot = await post(`/knowledge-bases/${baseId}/bots`, { name: 'Docs', platform: 'slack' })
  for (const agent_id of [baseId, bot.id]) {
    const other = { agent_id, title: 'x', content: 'x' }
    const refused = await citewell.send('POST', `/api/v1/knowledge-bases/${baseId}/approvals`, other)
    expect(await refused.json()).toMatchObject({
      details: [{ path: 'agent_id', message: 'is not an agent app of this knowledge base' }],
    })
  }
})

verifies(
  'approvals.decision-values',
  'a decision is approved or rejected, any other value is refused',
  async () => {
    const approval = await ask()
    expect((await decide(approval.id, { decision: 'maybe' })).status).toBe(400)
    expect((await decide(approval.id, {})).status).toBe(400)
    const decided = await decide(approval.id, { decision: 'rejected', comment: 'Not this one.' })
    expect(await decided.json()).toMatchObject({
      status: 'rejected',
      decision: 'rejected',
      comment: 'Not this one.',
      decided_by: expect.any(String),
      decided_at: expect.any(String),
    })
  },
)

verifies(
  ['approvals.once', 'events.approval-resolved'],
  'of ten concurrent decisions one succeeds, and webhooks are notified once',
  async () => {
    const approval = await ask()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        decide(approval.id, { decision: place % 2 === 0 ? 'approved' : 'rejected' }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    const refused = answers.find(({ status }) => status === 409)
    expect(await refused?.json()).toMatchObject({ code: 'CONFLICT' })
    const { decision } = await citewell.json<{ decision: string }>('GET', `/api/v1/approvals/${approval.id}`)
    // The webhook also receives the previous approval.
    const deliveries = await receiver.waitFor('approval.resolved', 2)
    const told = deliveries.map(
      ({ body }) => JSON.parse(body.toString('utf8')) as { data: { approval_id: string } },
    )
    expect(told.filter(({ data }) => data.approval_id === approval.id)).toEqual([
      {
        event: 'approval.resolved',
        knowledge_base_id: baseId,
        data: { approval_id: approval.id, agent_id: agentId, decision },
        timestamp: expect.any(String),
      },
    ])
    expect(deliveries).toHaveLength(2)
  },
)
