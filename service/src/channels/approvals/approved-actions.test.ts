import { verifies } from '@citewell/spec/verifies'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { startFakeReceiver, type FakeReceiver } from '../../../test/fake-webhook-receiver.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

const streams = { areClosed: false }
let citewell: TestService
let receiver: FakeReceiver
let baseId: string
let agentId: string

interface Shown {
  id: string
  status: string
  execution: string | null
  execution_note: string | null
  content: string
  edited_content: string | null
}

const post = <Answer = { id: string }>(path: string, body: unknown) =>
  citewell.json<Answer>('POST', `/api/v1${path}`, body)

beforeAll(async () => {
  citewell = await startTestService()
  receiver = await startFakeReceiver({
    '/refuses': (response) => void response.writeHead(422).end(),
    // It confirms at once, and goes on for ever.
    '/streams': (response) => {
      response.on('close', () => (streams.areClosed = true))
      response.writeHead(200).write('x'.repeat(200_000))
    },
    '/breaks': (response) => void response.writeHead(500).end(),
  })
  baseId = (await post('/knowledge-bases', { name: 'Acme' })).id
  const actionAt = (name: string) => ({ name, url: `${receiver.origin}/${name}` })
  agentId = (
    await post(`/knowledge-bases/${baseId}/agent-apps`, {
      name: 'Refunds',
      config: { actions: [actionAt('refund'), actionAt('refuses'), actionAt('breaks'), actionAt('streams')] },
      credentials: { signing_secret: 'agent-secret' },
    })
  ).id
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const ask = (name: string, given: object = {}) => ({
  agent_id: agentId,
  kind: 'action',
  title: `Do ${name}`,
  content: 'Pay back 20 €.',
  action: { name, input: { order: '4711' } },
  ...given,
})
const propose = (body: object) => post<Shown>(`/knowledge-bases/${baseId}/approvals`, body)
const decide = (id: string, body: object) => citewell.send('PATCH', `/api/v1/approvals/${id}`, body)
const ended = (id: string) =>
  citewell.until<Shown>(`/api/v1/approvals/${id}`, ({ execution }) => execution !== 'waiting')
const requestsTo = (path: string) => receiver.received.filter((request) => request.path === path)

verifies(
  'approvals.actions',
  'an approved action is carried out once, with the edited text, signed and with an idempotency key; a rejected one is not',
  async () => {
    await propose(ask('refund', { dedupe_key: 'ticket-6' }))
    const approval = await propose(ask('refund', { dedupe_key: 'ticket-7' }))
    expect((await propose(ask('refund', { dedupe_key: 'ticket-7' }))).id).toBe(approval.id)
    const rejected = await propose(ask('refund'))
    expect((await decide(rejected.id, { decision: 'rejected' })).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        decide(approval.id, { decision: 'approved', content: 'Pay back 10 €.' }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409, 409])
    expect(await ended(approval.id)).toMatchObject({
      execution: 'done',
      content: 'Pay back 20 €.',
      edited_content: 'Pay back 10 €.',
    })
    const [sent, ...more] = requestsTo('/refund')
    expect(more).toEqual([])
    const text = sent?.body.toString('utf8') ?? ''
    expect(JSON.parse(text)).toEqual({
      approval_id: approval.id,
      action: 'refund',
      input: { order: '4711' },
      content: 'Pay back 10 €.',
    })
    const hmac = createHmac('sha256', 'agent-secret').update(text).digest('hex')
    expect(Object.values(sent?.headers ?? {})).toContain(hmac)
    expect(sent?.headers['idempotency-key']).toBe(approval.id)
    expect((await citewell.json<Shown>('GET', `/api/v1/approvals/${rejected.id}`)).execution).toBeNull()
  },
)

verifies(
  'approvals.actions',
  'an action that is refused has failed, one that is not confirmed is unknown and not sent again; what is not declared or has expired is refused',
  async () => {
    const refused = await propose(ask('refuses'))
    const broken = await propose(ask('breaks'))
    for (const { id } of [refused, broken])
      expect((await decide(id, { decision: 'approved' })).status).toBe(200)
    expect(await ended(refused.id)).toMatchObject({ execution: 'failed' })
    expect(await ended(broken.id)).toMatchObject({
      execution: 'unknown',
      execution_note: expect.stringContaining('not sent again'),
    })
    expect([requestsTo('/refuses').length, requestsTo('/breaks').length]).toEqual([1, 1])
    for (const wrong of [ask('unheard_of'), ask('refund', { kind: 'reply' })])
      expect((await citewell.send('POST', `/api/v1/knowledge-bases/${baseId}/approvals`, wrong)).status).toBe(
        400,
      )
    const late = await propose(ask('refund', { expires_at: '2026-01-01T00:00:00.000Z' }))
    expect((await decide(late.id, { decision: 'approved' })).status).toBe(409)
    expect((await decide(late.id, { decision: 'rejected' })).status).toBe(200)
  },
)

verifies(
  'approvals.actions',
  'an action whose address confirms it and goes on talking is done, and its connection is closed',
  async () => {
    const approval = await propose(ask('streams'))
    expect((await decide(approval.id, { decision: 'approved' })).status).toBe(200)
    expect(await ended(approval.id)).toMatchObject({ execution: 'done' })
    // Long before the time of the request is over.
    await expect.poll(() => streams.areClosed, { timeout: 5_000 }).toBe(true)
  },
)
