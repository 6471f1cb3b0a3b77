import { createHmac } from 'node:crypto'
import { WEBHOOK_EVENTS } from '@citewell/contract/closed-lists'
import { verifies } from '@citewell/spec/verifies'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type Delivery,
  type Trigger,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'
import { joinTestWorkspace } from '../../../test/join-workspace.ts'

let world: WebhookWorld
/** Sent at the start, to a receiver that never answers; checked by the last test. */
let hanging: Trigger
/** What `/gone` answers. */
let isGone = true
const CONVERSATION = ['conversation.completed']
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAA'

beforeAll(async () => {
  world = await startWebhookWorld({
    '/hang': 'hang',
    '/refuse': (response) => response.writeHead(500).end('no room today'),
    '/away': (response) => response.writeHead(302, { location: `${world.receiver.origin}/moved` }).end(),
    '/gone': (response) => response.writeHead(isGone ? 410 : 204).end(),
    '/long': (response) => response.writeHead(200).end('x'.repeat(100_000)),
  })
  const base = await world.makeBase()
  hanging = await world.listen(base.id, CONVERSATION, { path: '/hang' })
  await world.ask(base, QUESTION)
})
afterAll(() => world[Symbol.asyncDispose]())

const ended = async (triggerId: string, count = 1): Promise<Delivery[]> => {
  const { data } = await world.citewell.until<{ data: Delivery[] }>(
    `/api/v1/webhook-triggers/${triggerId}/deliveries`,
    (page) => page.data.filter(({ status }) => status !== 'pending' && status !== 'sending').length >= count,
  )
  return data
}
const send = (method: string, path: string, body?: unknown) =>
  world.citewell.send(method, `/api/v1${path}`, body)

verifies(
  [
    'webhooks.create',
    'webhooks.record',
    'webhooks.fields',
    'webhooks.list',
    'webhooks.secret-never-returned',
    'traps.webhook-secret',
  ],
  'a webhook is created, and read back without its secret',
  async () => {
    const base = await world.makeBase()
    const given = { name: 'Ours', url: 'https://hooks.example.com/citewell', events: CONVERSATION }
    const response = await send('POST', `/knowledge-bases/${base.id}/webhook-triggers`, {
      ...given,
      secret: SECRET,
    })
    expect(response.status).toBe(201)
    const created: unknown = await response.json()
    expect(created).toMatchObject({
      ...given,
      knowledge_base_id: base.id,
      has_secret: true,
      status: 'live',
      last_delivery: null,
      created_at: expect.stringMatching(/Z$/),
    })
    await send('POST', `/knowledge-bases/${base.id}/webhook-triggers`, { ...given, name: 'Unsigned' })
    const listed = await send('GET', `/knowledge-bases/${base.id}/webhook-triggers`)
    const text = await listed.text()
    expect(JSON.parse(text)).toMatchObject({ data: [created, { name: 'Unsigned', has_secret: false }] })
    expect(JSON.stringify(created) + text).not.toContain(SECRET.slice(6))
  },
)

verifies(
  ['webhooks.url-only', 'traps.webhook-secret'],
  'other kinds of addresses and unknown events are refused',
  async () => {
    const base = await world.makeBase()
    const statusOf = async (fields: object) => {
      const body = { name: 'Ours', url: 'https://hooks.example.com/', events: CONVERSATION, ...fields }
      return (await send('POST', `/knowledge-bases/${base.id}/webhook-triggers`, body)).status
    }
    expect(await statusOf({})).toBe(201)
    expect(await statusOf({ url: 'http://hooks.example.com/', events: [...WEBHOOK_EVENTS] })).toBe(201)
    expect(await statusOf({ url: 'ftp://hooks.example.com/' })).toBe(400)
    expect(await statusOf({ url: 'hooks.example.com' })).toBe(400)
    expect(await statusOf({ url: 'https://user:pass@hooks.example.com/' })).toBe(400)
    expect(await statusOf({ url: 'http://169.254.169.254/latest/' })).toBe(400)
    expect(await statusOf({ events: [] })).toBe(400)
    expect(await statusOf({ events: ['conversation.started'] })).toBe(400)
    expect(await statusOf({ secret: '' })).toBe(400)
    expect(await statusOf({ colour: 'red' })).toBe(400)
  },
)

verifies(
  [
    'webhooks.post-json',
    'webhooks.body',
    'webhooks.event-header',
    'webhooks.signature',
    'webhooks.standard-headers',
  ],
  'a delivery is a POST whose raw bytes match both kinds of signature',
  async () => {
    const base = await world.makeBase()
    const trigger = await world.listen(base.id, CONVERSATION, { path: '/signed', secret: SECRET })
    await world.ask(base, QUESTION)
    await ended(trigger.id)
    const [delivery, ...others] = world.receiver.received.filter(({ path }) => path === '/signed')
    expect(others).toEqual([])
    expect(delivery?.method).toBe('POST')
    expect(delivery?.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'x-service-event': 'conversation.completed',
    })
    const raw = delivery?.body ?? Buffer.of()
    expect(delivery?.headers['x-service-signature']).toBe(
      createHmac('sha256', SECRET).update(raw).digest('hex'),
    )
    const headers = delivery?.headers as Record<string, string>
    const verified = new Webhook(SECRET).verify(raw.toString('utf8'), headers)
    expect(Object.keys(verified as object)).toEqual(['event', 'knowledge_base_id', 'data', 'timestamp'])
    expect(verified).toMatchObject({ event: 'conversation.completed', knowledge_base_id: base.id })
    expect(() => new Webhook(SECRET).verify(`${raw.toString('utf8')} `, headers)).toThrow(/signature/)
  },
)

verifies('webhooks.standard-headers', 'a secret without a prefix is used unchanged as the key', async () => {
  const base = await world.makeBase()
  const secret = 'correct horse battery staple'
  const trigger = await world.listen(base.id, CONVERSATION, { path: '/plain', secret })
  await world.ask(base, QUESTION)
  await ended(trigger.id)
  const delivery = world.receiver.received.find(({ path }) => path === '/plain')
  const raw = delivery?.body.toString('utf8') ?? ''
  const headers = delivery?.headers as Record<string, string>
  expect(new Webhook(secret, { format: 'raw' }).verify(raw, headers)).toMatchObject({
    knowledge_base_id: base.id,
  })
})

verifies('webhooks.unsigned-without-secret', 'without a secret nothing is signed', async () => {
  const base = await world.makeBase()
  const trigger = await world.listen(base.id, CONVERSATION, { path: '/unsigned' })
  await world.ask(base, QUESTION)
  await ended(trigger.id)
  const delivery = world.receiver.received.find(({ path }) => path === '/unsigned')
  expect(delivery?.headers).toMatchObject({ 'x-service-event': 'conversation.completed' })
  expect(delivery?.headers).not.toHaveProperty('x-service-signature')
  expect(delivery?.headers).not.toHaveProperty('webhook-signature')
})

verifies(
  ['webhooks.log', 'webhooks.no-retries', 'webhooks.redirects-fail', 'webhooks.answer-cut'],
  'the log shows what the receiver answered; a failure and a redirect stay failures',
  async () => {
    const base = await world.makeBase()
    const paths = ['/refuse', '/away', '/long']
    const triggers = await Promise.all(paths.map((path) => world.listen(base.id, CONVERSATION, { path })))
    const [refused, redirected, long] = triggers.map(({ id }) => id)
    await world.ask(base, QUESTION)
    expect(await ended(refused ?? '')).toMatchObject([
      {
        event: 'conversation.completed',
        status: 'failed',
        response_status: 500,
        response_body: 'no room today',
        error: 'The receiver answered 500.',
        duration_ms: expect.any(Number),
        attempted_at: expect.any(String),
        redelivery_of: null,
      },
    ])
    expect(await ended(redirected ?? '')).toMatchObject([{ status: 'failed', response_status: 302 }])
    const [delivered] = await ended(long ?? '')
    expect(delivered).toMatchObject({ status: 'delivered', response_body: 'x'.repeat(4_096) })
    expect(JSON.parse(delivered?.body ?? '')).toMatchObject({ event: 'conversation.completed' })
    const counts = ['/refuse', '/away', '/moved', '/long'].map(
      (path) => world.receiver.received.filter((one) => one.path === path).length,
    )
    expect(counts).toEqual([1, 1, 0, 1])
  },
)

verifies('webhooks.redeliver', 'a redelivery sends the same bytes and id, with a new signature', async () => {
  const base = await world.makeBase()
  const trigger = await world.listen(base.id, CONVERSATION, { path: '/again', secret: SECRET })
  await world.ask(base, QUESTION)
  const [first] = await ended(trigger.id)
  const response = await send('POST', `/webhook-deliveries/${first?.id}/redeliver`)
  expect(response.status).toBe(202)
  expect(await response.json()).toMatchObject({ redelivery_of: first?.id, body: first?.body })
  const log = await ended(trigger.id, 2)
  expect(log).toMatchObject([{ redelivery_of: first?.id, status: 'delivered' }, { id: first?.id }])
  const [one, two] = world.receiver.received.filter(({ path }) => path === '/again')
  expect(two?.body).toEqual(one?.body)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  expect(new Webhook(SECRET).verify(two?.body.toString() ?? '', two?.headers as never)).toBeTruthy()
  const listed = await send('GET', `/knowledge-bases/${base.id}/webhook-triggers`)
  expect(await listed.json()).toMatchObject({ data: [{ last_delivery: { id: log[0]?.id } }] })
})

test('an excerpt is withheld once a page of its answer is restricted, from members without Chat and from the receiver', async () => {
  const base = await world.makeBase({ workspace_members_can_chat: false })
  const trigger = await world.listen(base.id, CONVERSATION, { path: '/later' })
  await world.ask(base, QUESTION)
  const [first] = await ended(trigger.id)
  const { db } = world.citewell.storage
  const [{ workspaces }] = [await world.citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')]
  const workspaceId = workspaces[0]?.id ?? ''
  const member = await joinTestWorkspace(db, () => new Date(), { role: 'member', workspaceId })
  await db
    .insertInto('knowledge_base_grants')
    .values({
      workspace_id: workspaceId,
      knowledge_base_id: base.id,
      user_id: member.userId,
      permissions: ['config'],
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
  const logOf = async (headers: Record<string, string>) => {
    const response = await world.request(`/api/v1/webhook-triggers/${trigger.id}/deliveries`, { headers })
    return ((await response.json()) as { data: Delivery[] }).data.map(({ body }) => body)
  }
  const asMember = { authorization: `Bearer ${member.token}` }
  expect(await logOf(asMember)).toEqual([first?.body])
  expect(first?.body).toContain(ROTATION)

  const documents = await world.citewell.json<{ data: { id: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}/documents`,
  )
  for (const { id } of documents.data)
    await world.citewell.json('PATCH', `/api/v1/documents/${id}`, { visibility: 'restricted' })
  const withheld = JSON.stringify({
    ...(JSON.parse(first?.body ?? '') as object),
    data: { ...(JSON.parse(first?.body ?? '') as { data: object }).data, answer_excerpt: '' },
  })
  expect(await logOf(asMember)).toEqual([withheld])
  expect((await world.logOf(trigger.id)).map(({ body }) => body)).toEqual([first?.body])

  const asked = await send('POST', `/webhook-deliveries/${first?.id}/redeliver`)
  expect(await asked.json()).toMatchObject({ body: withheld })
  await ended(trigger.id, 2)
  const bodies = world.receiver.received.filter(({ path }) => path === '/later')
  expect(bodies.map(({ body }) => body.toString('utf8'))).toEqual([first?.body, withheld])
})

verifies(
  'webhooks.gone',
  'a receiver that is gone gets nothing more, until one redelivery succeeds',
  async () => {
    const base = await world.makeBase()
    const trigger = await world.listen(base.id, CONVERSATION, { path: '/gone' })
    await world.ask(base, QUESTION)
    const [first] = await ended(trigger.id)
    expect(first).toMatchObject({ status: 'failed', response_status: 410 })
    await world.ask(base, QUESTION)
    const listed = await send('GET', `/knowledge-bases/${base.id}/webhook-triggers`)
    expect(await listed.json()).toMatchObject({ data: [{ status: 'gone' }] })
    expect(await world.logOf(trigger.id)).toHaveLength(1)
    isGone = false
    expect((await send('POST', `/webhook-deliveries/${first?.id}/redeliver`)).status).toBe(202)
    expect(await ended(trigger.id, 2)).toMatchObject([{ status: 'delivered' }, {}])
    await world.ask(base, QUESTION)
    expect(await ended(trigger.id, 3)).toMatchObject([{ status: 'delivered' }, {}, {}])
  },
)

verifies(
  ['webhooks.delete', 'webhooks.per-base'],
  'a deleted webhook gets no events, and its log is deleted',
  async () => {
    const base = await world.makeBase()
    const other = await world.makeBase()
    const trigger = await world.listen(base.id, CONVERSATION, { path: '/deleted' })
    const kept = await world.listen(base.id, CONVERSATION, { path: '/kept' })
    const others = await world.listen(other.id, CONVERSATION, { path: '/other' })
    expect((await send('DELETE', `/webhook-triggers/${trigger.id}`)).status).toBe(204)
    await world.ask(base, QUESTION)
    await ended(kept.id)
    expect(world.receiver.received.filter(({ path }) => ['/deleted', '/other'].includes(path))).toEqual([])
    expect(await world.logOf(others.id)).toEqual([])
    expect((await send('GET', `/webhook-triggers/${trigger.id}/deliveries`)).status).toBe(404)
    expect((await send('DELETE', `/webhook-triggers/${trigger.id}`)).status).toBe(404)
  },
)

verifies(
  'webhooks.needs-config',
  'a read-only token, or a member without Config, has no access to webhooks',
  async () => {
    const base = await world.makeBase()
    const trigger = await world.listen(base.id, CONVERSATION)
    const { token } = await world.citewell.json<{ token: string }>('POST', '/api/v1/access-tokens', {
      name: 'reader',
      scopes: ['read'],
    })
    const [{ workspaces }, { db }] = [
      await world.citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me'),
      world.citewell.storage,
    ]
    const member = await joinTestWorkspace(db, () => new Date(), {
      role: 'member',
      workspaceId: workspaces[0]?.id ?? '',
    })
    const asked = [
      ['POST', `/knowledge-bases/${base.id}/webhook-triggers`],
      ['GET', `/knowledge-bases/${base.id}/webhook-triggers`],
      ['GET', `/webhook-triggers/${trigger.id}/deliveries`],
      ['DELETE', `/webhook-triggers/${trigger.id}`],
    ] as const
    for (const [method, path] of asked) {
      const body = { name: 'Theirs', url: 'https://hooks.example.com/', events: CONVERSATION }
      for (const credential of [token, member.token]) {
        const response = await world.request(`/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
          ...(method === 'POST' && { body: JSON.stringify(body) }),
        })
        expect({ method, path, status: response.status }).toEqual({ method, path, status: 403 })
      }
    }
  },
)

verifies(
  ['webhooks.ten-seconds', 'webhooks.ten-seconds-limit', 'webhooks.no-retries'],
  'a receiver that does not answer times out after ten seconds, and is not retried',
  async () => {
    const [cut] = await ended(hanging.id)
    expect(cut).toMatchObject({
      status: 'failed',
      response_status: null,
      error: expect.stringContaining('did not answer in time'),
    })
    expect(cut?.['duration_ms']).toBeGreaterThanOrEqual(9_990)
    expect(cut?.['duration_ms']).toBeLessThan(15_000)
    expect(JSON.parse(cut?.body ?? '')).toMatchObject({
      data: { answer_excerpt: expect.stringContaining(ROTATION) },
    })
    expect(world.receiver.received.filter(({ path }) => path === '/hang')).toHaveLength(1)
  },
)
