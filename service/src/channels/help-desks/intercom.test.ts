import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { startIntercomStandIn, type IntercomStandIn } from '../../../test/platforms/intercom-stand-in.ts'
import { signAsHub } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let intercom: IntercomStandIn
let id: string

beforeAll(async () => {
  world = await openDeskWorld()
  intercom = await startIntercomStandIn()
  id = await connect({ hand_over_to: '42' })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await intercom[Symbol.asyncDispose]()
})

const connect = (config: object) =>
  world.connect({
    platform: 'intercom',
    handles: 'chats',
    config: { api_url: intercom.origin, ...config },
    credentials: intercom.credentials,
  })

let notifications = 0

/** Intercom tells that a customer wrote. */
async function tell(
  chat: string,
  given: { to?: string; topic?: string; notification?: string } = {},
): Promise<void> {
  notifications += 1
  const { to = id, topic = 'conversation.user.replied', notification = `notif_${notifications}` } = given
  const body = JSON.stringify({
    type: 'notification_event',
    app_id: 'abc',
    id: notification,
    topic,
    data: {
      type: 'notification_event_data',
      item: { type: 'conversation', id: chat, source: { body: 'What it says is not used.' } },
    },
  })
  const response = await world.citewell.fetch(`/api/v1/hooks/${to}`, {
    method: 'POST',
    headers: signAsHub(body, intercom.credentials.client_secret),
    body,
  })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

const say = async (text: string, chat?: string): Promise<string> => {
  const into = intercom.write(text, chat === undefined ? {} : { chat })
  await tell(into)
  await world.settled(id)
  return into
}
const eventsOf = (chat: string) => world.toldOf(id, chat)
const reasonsOf = async (chat: string) =>
  (await eventsOf(chat)).filter((event) => event.startsWith('ticket.escalated'))

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.intercom'],
  'a chat that is deleted while it is answered is said on the record with what to do, and ends with answer_failed; the next one is answered',
  async () => {
    const gone = intercom.write(QUESTION)
    world.llm.script(async (exchange) => {
      intercom.delete(gone)
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(gone)
    await world.settled(id)
    expect(await world.problemOf(id)).toContain('is gone: it was deleted or merged meanwhile')
    expect(await reasonsOf(gone)).toEqual(['ticket.escalated answer_failed'])
    const next = await say(QUESTION)
    expect(intercom.answersOf(next)).toHaveLength(1)
    expect(await world.problemOf(id)).toBeNull()
  },
)

verifies(
  [
    'helpdesk-integrations.intercom',
    'connectors.escalation-on-chat',
    'events.platform-connectors',
    'limits.turn-cap',
  ],
  'a chat gets five answers; the sixth question goes to a person with turn_cap, and nothing is answered after that',
  async () => {
    const chat = await say(QUESTION)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: 1 })
    expect(intercom.answersOf(chat)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(intercom.answersOf(chat)[0]).toContain('reply “person”')
    for (let turn = 2; turn <= 5; turn += 1) {
      await say(`${QUESTION} (${turn})`, chat)
      expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: turn })
      expect(await reasonsOf(chat)).toEqual([])
    }
    await say(`${QUESTION} (6)`, chat)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'escalated', reason: 'turn_cap' })
    expect(await eventsOf(chat)).toEqual([
      ...Array.from({ length: 5 }, () => 'ticket.deflected'),
      'ticket.escalated turn_cap',
    ])
    expect(intercom.answersOf(chat)).toHaveLength(6)
    expect(intercom.answersOf(chat).at(-1)).toContain('Somebody of our team')
    expect(intercom.notesOf(chat)).toEqual([expect.stringContaining('all automatic answers')])
    expect(intercom.chat(chat).admin_assignee_id).toBe('42')
    await say(`${QUESTION} (7)`, chat)
    expect(intercom.answersOf(chat)).toHaveLength(6)
    expect(await reasonsOf(chat)).toHaveLength(1)
  },
)

verifies(
  ['connectors.escalation-on-chat', 'helpdesk-integrations.intercom'],
  'a chat whose customer asks for a person, that is not covered, or that cannot be answered goes to a person with that reason',
  async () => {
    const asked = await say(QUESTION)
    await say('Talk to a person!', asked)
    expect(await reasonsOf(asked)).toEqual(['ticket.escalated customer_asked'])
    const uncovered = await say(OFF_TOPIC)
    expect(await eventsOf(uncovered)).toEqual(['ticket.escalated low_confidence'])
    expect(intercom.answersOf(uncovered)).toEqual([expect.stringContaining('Somebody of our team')])
    world.llm.script(fakeLlm.paymentRequired())
    const failed = await say(QUESTION)
    expect(await eventsOf(failed)).toEqual(['ticket.escalated answer_failed'])
    world.llm.script(answersFromPage())
    // The model wrote an answer, and Intercom does not take it.
    const refused = intercom.write(QUESTION)
    intercom.onRequest = ({ method }) => {
      if (method !== 'POST') return
      intercom.onRequest = undefined
      intercom.misbehave({ status: 422, body: {} })
    }
    await tell(refused)
    await world.settled(id)
    expect(await eventsOf(refused)).toEqual(['ticket.escalated answer_failed'])
  },
)

verifies(
  ['helpdesk-integrations.intercom', 'hooks.once'],
  'a person who writes or has the conversation ends our part; mails, closed and long conversations, bots and repetitions are left alone',
  async () => {
    const withPerson = await say(QUESTION)
    intercom.agentWrites(withPerson, 'I am here.')
    await say('And old ones?', withPerson)
    expect(await world.ticket(id, withPerson)).toMatchObject({ status: 'with_people' })
    expect(intercom.answersOf(withPerson)).toHaveLength(1)
    expect(await reasonsOf(withPerson)).toEqual([])

    const left = [
      intercom.write(QUESTION, { channel: 'email' }),
      intercom.write(QUESTION),
      intercom.write(QUESTION),
      intercom.write(QUESTION),
      intercom.write(QUESTION, { author: 'bot' }),
    ]
    const [, assigned = '', closed = '', long = ''] = left
    intercom.chat(assigned).admin_assignee_id = '7002'
    intercom.chat(closed).state = 'closed'
    intercom.chat(long).isCut = true
    for (const chat of left) await tell(chat)
    await tell('999999')
    const other = intercom.write(QUESTION)
    await tell(other, { topic: 'conversation.admin.replied' })
    await world.settled(id)
    for (const chat of [...left, other]) expect(intercom.answersOf(chat)).toEqual([])

    const once = intercom.write(QUESTION, { author: 'lead' })
    intercom.botSays(once, 'We reply in minutes.')
    await Promise.all([tell(once, { notification: 'n1' }), tell(once, { notification: 'n1' })])
    await world.settled(id)
    await tell(once)
    await world.settled(id)
    expect(intercom.answersOf(once)).toHaveLength(1)
  },
)

verifies(
  ['helpdesk-integrations.intercom', 'hooks.crashes'],
  'an answer is not posted if the customer wrote meanwhile, waits where Intercom asks to, and is looked for if it was not confirmed',
  async () => {
    const chat = intercom.write(QUESTION)
    let reads = 0
    intercom.onRequest = ({ method, path }) => {
      if (method !== 'GET' || !path.startsWith('/conversations/')) return
      reads += 1
      // Between the reading on which the answer is based, and the one before it is posted.
      if (reads === 2) intercom.write('I mean signing keys.', { chat })
    }
    await tell(chat)
    await world.settled(id)
    intercom.onRequest = undefined
    expect(intercom.answersOf(chat)).toHaveLength(1)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: 1 })

    const limited = intercom.write(QUESTION)
    intercom.onRequest = ({ method }) => {
      if (method !== 'POST') return
      intercom.onRequest = undefined
      intercom.misbehave({ status: 429, headers: { 'retry-after': '1' }, body: {} })
    }
    await tell(limited)
    await world.becomes(id, limited, 'answered')
    expect(intercom.answersOf(limited)).toHaveLength(1)

    intercom.losesAnswer = true
    const unsure = await say(QUESTION)
    expect(await world.ticket(id, unsure)).toMatchObject({ status: 'answered', answers_given: 1 })
    expect(intercom.answersOf(unsure)).toHaveLength(1)
    expect(await eventsOf(unsure)).toEqual(['ticket.deflected'])
  },
  { tags: ['long'] },
)

verifies(
  'helpdesk-integrations.intercom',
  'text of pages and customers is no HTML and no placeholder; the address answers the check of Intercom; what is missing is said',
  async () => {
    world.llm.script(fakeLlm.replies(() => `${ROTATION} <b>{{ user.email }}</b> [1]`))
    const chat = await say(QUESTION)
    const [answer = ''] = intercom.answersOf(chat)
    expect(answer).not.toContain('{{')
    expect(answer).not.toContain('<b>')
    const checked = await world.citewell.fetch(`/api/v1/hooks/${id}`, { method: 'HEAD' })
    expect([checked.status, await checked.text()]).toEqual([200, ''])
    const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'bot@acme.example in Acme',
      problems: [],
    })
    const bare = await world.connect({
      platform: 'intercom',
      handles: 'chats',
      config: { api_url: intercom.origin },
      credentials: {},
    })
    expect(await check(bare)).toMatchObject({
      is_working: false,
      account: null,
      problems: [
        expect.stringContaining('access_token is missing'),
        expect.stringContaining('client_secret is missing'),
        expect.stringContaining('refused the access token'),
      ],
    })
    const tickets = await world.connect({ platform: 'intercom', config: {}, credentials: {} })
    expect((await world.citewell.send('POST', `/api/v1/helpdesk-integrations/${tickets}/check`)).status).toBe(
      409,
    )
  },
)
