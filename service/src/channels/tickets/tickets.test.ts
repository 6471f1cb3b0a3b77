import { LIMITS } from '@citewell/contract/limits'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import {
  answersFromPage,
  OFF_TOPIC,
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'

let world: WebhookWorld
let baseId: string

beforeAll(async () => {
  world = await startWebhookWorld()
  baseId = (await world.makeBase()).id
  await world.listen(baseId, ['ticket.deflected', 'ticket.escalated'])
})
beforeEach(() => {
  world.receiver.received.length = 0
  world.llm.script(answersFromPage())
})
afterAll(() => world[Symbol.asyncDispose]())

const desk = async (handles: 'tickets' | 'chats') =>
  (
    await world.citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${baseId}/helpdesk-integrations`,
      {
        name: 'Desk',
        platform: 'other',
        handles,
      },
    )
  ).id
const take = (integrationId: string, message: object) =>
  world.citewell.json<Record<string, unknown>>(
    'POST',
    `/api/v1/helpdesk-integrations/${integrationId}/tickets`,
    {
      ticket_id: '1042',
      body: QUESTION,
      ...message,
    },
  )
async function dataOf(event: string, count: number) {
  const deliveries = await world.receiver.waitFor(event, count)
  return deliveries.map(({ body }) => (JSON.parse(body.toString('utf8')) as { data: unknown }).data)
}

verifies(
  [
    'helpdesk-integrations.answer-tickets',
    'events.ticket-deflected',
    'events.ticket-escalated',
    'events.escalated-tickets-customer-replied',
  ],
  'a ticket gets one answer, and a person when the customer replies',
  async () => {
    const integration = await desk('tickets')
    expect(await take(integration, { subject: 'Keys' })).toMatchObject({
      ticket_id: '1042',
      outcome: 'answered',
      reason: null,
      answer: expect.stringContaining(ROTATION),
      citations: [{ index: 1, title: 'Rotating signing keys' }],
      answers_given: 1,
    })
    expect(await dataOf('ticket.deflected', 1)).toEqual([{ integration_id: integration, ticket_id: '1042' }])
    const again = { outcome: 'escalated', reason: 'customer_replied', answer: null }
    expect(await take(integration, { body: 'That does not help.' })).toMatchObject(again)
    expect(await dataOf('ticket.escalated', 1)).toEqual([
      { integration_id: integration, ticket_id: '1042', reason: 'customer_replied' },
    ])
    // Escalated once: later messages are for the person.
    expect(await take(integration, { body: 'Hello?' })).toMatchObject(again)
    expect(world.receiver.received).toHaveLength(2)
  },
)

test('a ticket that the base does not cover is left to people, without an event', async () => {
  const integration = await desk('tickets')
  expect(await take(integration, { body: OFF_TOPIC })).toMatchObject({ outcome: 'unanswered', answer: null })
  expect(await take(integration, { body: OFF_TOPIC })).toMatchObject({ outcome: 'unanswered' })
  world.llm.script(fakeLlm.saysGarbageAfter(''), fakeLlm.says(`${ROTATION} [1]`))
  expect(await take(integration, { ticket_id: '7' })).toMatchObject({ outcome: 'unanswered' })
  // A failed answer may be retried.
  expect(await take(integration, { ticket_id: '7' })).toMatchObject({ outcome: 'answered' })
  await dataOf('ticket.deflected', 1)
  expect(world.receiver.received).toHaveLength(1)
})

verifies(
  ['events.escalated-turn-cap', 'events.turn-cap-limit'],
  'a chat gets five answers; at the sixth message a person takes over',
  async () => {
    const integration = await desk('chats')
    for (let turn = 1; turn <= LIMITS.turnCap; turn += 1) {
      expect(await take(integration, {})).toMatchObject({ outcome: 'answered', answers_given: turn })
    }
    expect(await take(integration, {})).toMatchObject({ outcome: 'escalated', reason: 'turn_cap' })
    expect(await dataOf('ticket.escalated', 1)).toEqual([
      { integration_id: integration, ticket_id: '1042', reason: 'turn_cap' },
    ])
    expect(LIMITS.turnCap).toBe(5)
  },
)

verifies(
  'events.escalated-customer-asked',
  'a chat is escalated when the customer asks for a person',
  async () => {
    const integration = await desk('chats')
    const asked = await take(integration, { body: 'A person, please.', customer_asked_for_person: true })
    expect(asked).toMatchObject({ outcome: 'escalated', reason: 'customer_asked', answers_given: 0 })
    expect(await dataOf('ticket.escalated', 1)).toMatchObject([{ reason: 'customer_asked' }])
  },
)

verifies('events.escalated-low-confidence', 'a chat that the base does not cover is escalated', async () => {
  const integration = await desk('chats')
  const outcome = { outcome: 'escalated', reason: 'low_confidence', answer: null, citations: [] }
  expect(await take(integration, { body: OFF_TOPIC })).toMatchObject(outcome)
  expect(await dataOf('ticket.escalated', 1)).toMatchObject([{ reason: 'low_confidence' }])
})

verifies('events.escalated-answer-failed', 'a chat is escalated when the answer fails', async () => {
  const integration = await desk('chats')
  world.llm.script(fakeLlm.paymentRequired())
  expect(await take(integration, {})).toMatchObject({ outcome: 'escalated', reason: 'answer_failed' })
  expect(await dataOf('ticket.escalated', 1)).toMatchObject([{ reason: 'answer_failed' }])
})

verifies(
  'helpdesk-integrations.public-documents-only',
  'customers get nothing of a restricted page, and nothing at all of an internal base',
  async () => {
    const base = await world.makeBase()
    const made = await world.citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/helpdesk-integrations`,
      { name: 'Desk', platform: 'other' },
    )
    const { data } = await world.citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/documents`,
    )
    await world.citewell.json('PATCH', `/api/v1/documents/${data[0]?.id}`, { visibility: 'restricted' })
    expect(await take(made.id, {})).toMatchObject({ outcome: 'unanswered', citations: [] })
    await world.citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, { type: 'internal' })
    const refused = await world.citewell.send('POST', `/api/v1/helpdesk-integrations/${made.id}/tickets`, {
      ticket_id: '2',
      body: QUESTION,
    })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'KNOWLEDGE_BASE_INTERNAL' })
  },
)

test('of two concurrent messages on a ticket one is answered, the other is refused until then', async () => {
  const integration = await desk('tickets')
  const send = () =>
    world.citewell.send('POST', `/api/v1/helpdesk-integrations/${integration}/tickets`, {
      ticket_id: '9',
      body: QUESTION,
    })
  const answers = await Promise.all([send(), send()])
  const outcomes = await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))
  const answered = outcomes.filter(([, body]) => (body as { outcome?: string }).outcome === 'answered')
  expect(answered).toHaveLength(1)
  await dataOf('ticket.deflected', 1)
})
