import { CHAT_ESCALATION_REASONS, WEBHOOK_EVENTS } from '@citewell/contract/closed-lists'
import { EVENT_DATA } from '@citewell/contract/events'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { fakeLlm } from '../../../test/fake-llm.ts'
import {
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type WebhookBase,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'
import { answerExcerpt } from './record-webhook-event.ts'

let world: WebhookWorld

beforeAll(async () => {
  world = await startWebhookWorld()
})
beforeEach(() => {
  world.receiver.received.length = 0
  world.llm.script(fakeLlm.says(`${ROTATION} [1]`))
})
afterAll(() => world[Symbol.asyncDispose]())

const EVERYTHING = [...WEBHOOK_EVENTS]

/** The bodies of the deliveries of an event, as soon as there are `count`. */
async function bodiesOf(event: string, count: number) {
  const deliveries = await world.receiver.waitFor(event, count)
  return deliveries.map(
    ({ body }) => JSON.parse(body.toString('utf8')) as { data: Record<string, unknown>; timestamp: string },
  )
}

const publicly = async (
  base: WebhookBase,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  await world.request(`/api/v1/public${path}`, {
    method: 'POST',
    headers: { 'x-client-key': base.key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

verifies(
  'events.conversation-completed',
  'a finished answer sends an event with the ids that its reader got',
  async () => {
    const base = await world.makeBase()
    await world.listen(base.id, EVERYTHING)
    const last = (await world.ask(base, QUESTION)).at(-1)
    const [body] = await bodiesOf('conversation.completed', 1)
    expect(body).toEqual({
      event: 'conversation.completed',
      knowledge_base_id: base.id,
      data: {
        conversation_id: last?.['thread_id'],
        message_id: last?.['message_id'],
        answer_excerpt: `${ROTATION} [1]`,
      },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  },
)

verifies('events.conversation-every-surface', 'answers of every surface send an event', async () => {
  const base = await world.makeBase()
  await world.listen(base.id, ['conversation.completed'])
  const [first] = await world.ask(base, QUESTION).then((frames) => frames.slice(-1))
  const thread = await publicly(base, `/threads/${String(first?.['thread_id'])}/chat`, { query: QUESTION })
  await thread.text()
  const openai = await publicly(
    base,
    '/openai/chat/completions',
    { model: base.id, messages: [{ role: 'user', content: QUESTION }] },
    { authorization: `Bearer ${base.key}` },
  )
  expect(openai.status).toBe(200)
  const form = await publicly(base, `/knowledge-bases/${base.id}/form-deflect`, { body: QUESTION.repeat(3) })
  expect(form.status).toBe(200)
  const team = await world.citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/chat`, {
    query: QUESTION,
  })
  await team.text()
  using socket = await openChatClient(world.citewell.address, base.id)
  await socket.signIn(base.key)
  socket.send({ type: 'chat', id: 'q1', query: QUESTION })
  await socket.end('q1')
  const desk = await world.citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/helpdesk-integrations`,
    { name: 'Desk', platform: 'other' },
  )
  await world.citewell.json('POST', `/api/v1/helpdesk-integrations/${desk.id}/tickets`, {
    ticket_id: '1',
    body: QUESTION,
  })
  const bodies = await bodiesOf('conversation.completed', 7)
  expect(new Set(bodies.map(({ data }) => data['message_id'])).size).toBe(7)
})

verifies('events.conversation-only-finished', 'an interrupted answer sends no event', async () => {
  const base = await world.makeBase()
  await world.listen(base.id, ['conversation.completed'])
  world.llm.script(fakeLlm.saysGarbageAfter('Signing keys '), fakeLlm.says(`${ROTATION} [1]`))
  const broken = (await world.ask(base, QUESTION)).at(-1)
  expect(broken).toHaveProperty('error_code')
  const finished = (await world.ask(base, QUESTION)).at(-1)
  const [body] = await bodiesOf('conversation.completed', 1)
  expect(body?.data['message_id']).toBe(finished?.['message_id'])
  expect(world.receiver.received).toHaveLength(1)
})

verifies('events.conversation-masked', 'the excerpt is masked like the answer', async () => {
  const base = await world.makeBase({ pii_masking: { mask: ['email'], custom_patterns: [], allow_list: [] } })
  await world.listen(base.id, ['conversation.completed'])
  world.llm.script(fakeLlm.says(`${ROTATION} [1] Ask ada.lovelace@example.org about it.`))
  await world.ask(base, `${QUESTION} I am charles.babbage@example.org.`)
  const [body] = await bodiesOf('conversation.completed', 1)
  expect(body?.data['answer_excerpt']).toContain(ROTATION)
  const raw = world.receiver.received[0]?.body.toString('utf8')
  expect(raw).not.toMatch(/lovelace|babbage/)
})

verifies(
  'events.excerpt-public',
  'the excerpt of an answer to a member is sent only if it uses public pages only',
  async () => {
    const base = await world.makeBase()
    await world.listen(base.id, ['conversation.completed'])
    const askAsTeam = async () => {
      const asked = { query: QUESTION }
      const response = await world.citewell.send('POST', `/api/v1/knowledge-bases/${base.id}/chat`, asked)
      await response.text()
    }
    await askAsTeam()
    const [told] = await bodiesOf('conversation.completed', 1)
    expect(told?.data['answer_excerpt']).toContain(ROTATION)

    const { data } = await world.citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/documents`,
    )
    for (const { id } of data)
      await world.citewell.json('PATCH', `/api/v1/documents/${id}`, { visibility: 'restricted' })
    await askAsTeam()
    const bodies = await bodiesOf('conversation.completed', 2)
    expect(bodies.map((body) => body.data['answer_excerpt'])).toContain('')
    expect(
      world.receiver.received.filter(({ body }) => body.toString('utf8').includes(ROTATION)),
    ).toHaveLength(1)
  },
)

verifies('events.deflection-completed', 'an answered form sends an event with its outcome', async () => {
  const base = await world.makeBase()
  await world.listen(base.id, ['deflection.completed'])
  const response = await publicly(base, `/knowledge-bases/${base.id}/form-deflect`, {
    body: QUESTION.repeat(3),
  })
  const deflection = (await response.json()) as { conversation_id: string; confidence: number }
  const outcome = await publicly(
    base,
    `/knowledge-bases/${base.id}/form-deflect/${deflection.conversation_id}/outcome`,
    { outcome: 'deflected' },
  )
  expect(outcome.status).toBe(204)
  const [body] = await bodiesOf('deflection.completed', 1)
  expect(body?.data).toEqual({
    conversation_id: deflection.conversation_id,
    confidence: expect.closeTo(deflection.confidence, 4),
    deflected: true,
  })
})

verifies('events.chat-reasons', 'there are six events, and four reasons for escalating chats', () => {
  expect(WEBHOOK_EVENTS).toEqual([
    'conversation.completed',
    'deflection.completed',
    'ticket.deflected',
    'ticket.escalated',
    'simulation.completed',
    'approval.resolved',
  ])
  expect(CHAT_ESCALATION_REASONS).toEqual(['customer_asked', 'turn_cap', 'low_confidence', 'answer_failed'])
  const { shape } = EVENT_DATA['ticket.escalated']
  expect(Object.keys(shape)).toEqual(['integration_id', 'ticket_id', 'reason'])
  expect(shape.reason.options).toEqual(['customer_replied', ...CHAT_ESCALATION_REASONS])
})

test('an excerpt is cut at a word, by whole characters', () => {
  expect(answerExcerpt('short ')).toBe('short')
  const long = answerExcerpt('word '.repeat(200))
  expect(Array.from(long).length).toBeLessThanOrEqual(500)
  expect(long.endsWith('word…')).toBe(true)
  expect(Array.from(answerExcerpt('😀'.repeat(600)))).toHaveLength(500)
})

verifies(
  'events.nothing-under-zero-retention',
  'an event of a conversation from before zero retention is not sent again under it, and not at all if it waits',
  async () => {
    const base = await world.makeBase()
    const trigger = await world.listen(base.id, EVERYTHING)
    await world.ask(base, QUESTION)
    await bodiesOf('conversation.completed', 1)
    await expect.poll(async () => (await world.logOf(trigger.id))[0]?.status).toBe('delivered')
    const { workspace_id: workspaceId } = await world.citewell.json<{ workspace_id: string }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}`,
    )
    const keepNothing = (on: boolean) =>
      world.citewell.json('PATCH', `/api/v1/workspaces/${workspaceId}`, { zero_data_retention: on })
    const [delivery] = await world.logOf(trigger.id)
    const again = () => world.citewell.send('POST', `/api/v1/webhook-deliveries/${delivery?.id}/redeliver`)
    await keepNothing(true)
    try {
      const refused = await again()
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'CONFLICT' }])
      // As if its receiver had been busy until now; the next look takes it up.
      await world.citewell.rows(
        `update webhook_deliveries set status = 'pending' where id = '${delivery?.id}'`,
      )
      await expect
        .poll(async () => await world.logOf(trigger.id), { timeout: 20_000 })
        .toMatchObject([{ status: 'cancelled', error: expect.stringContaining('zero data retention') }])
    } finally {
      await keepNothing(false)
    }
    expect(world.receiver.received).toHaveLength(1)
    expect((await again()).status).toBe(202)
    // Before the next test: it arrives after the answer.
    await expect.poll(() => world.receiver.received).toHaveLength(2)
  },
)

verifies('events.nothing-under-zero-retention', 'with zero retention answers send no events', async () => {
  const base = await world.makeBase()
  const trigger = await world.listen(base.id, EVERYTHING)
  const { workspace_id: workspaceId } = await world.citewell.json<{ workspace_id: string }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}`,
  )
  const keepNothing = (on: boolean) =>
    world.citewell.json('PATCH', `/api/v1/workspaces/${workspaceId}`, { zero_data_retention: on })
  await keepNothing(true)
  const last = (await world.ask(base, QUESTION)).at(-1)
  expect(last).toMatchObject({ done: true })
  expect(last).not.toHaveProperty('message_id')
  await (await publicly(base, `/knowledge-bases/${base.id}/form-deflect`, { body: QUESTION })).text()
  const ofBase = `/api/v1/knowledge-bases/${base.id}`
  await (await world.citewell.send('POST', `${ofBase}/chat`, { query: QUESTION })).text()
  using socket = await openChatClient(world.citewell.address, base.id)
  await socket.signIn(base.key)
  socket.send({ type: 'chat', id: 'q1', query: QUESTION })
  await socket.end('q1')
  await keepNothing(false)
  const kept = (await world.ask(base, QUESTION)).at(-1)
  const [body] = await bodiesOf('conversation.completed', 1)
  expect(body?.data['message_id']).toBe(kept?.['message_id'])
  expect(world.receiver.received).toHaveLength(1)
  expect(await world.logOf(trigger.id)).toHaveLength(1)
})
