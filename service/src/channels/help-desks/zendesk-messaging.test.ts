import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { signAsMessaging } from '../../../test/platforms/platform-proofs.ts'
import {
  APP,
  startMessagingStandIn,
  type MessagingStandIn,
} from '../../../test/platforms/zendesk-messaging-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let zendesk: MessagingStandIn
let id: string

beforeAll(async () => {
  world = await openDeskWorld()
  zendesk = await startMessagingStandIn()
  id = await connect()
})
beforeEach(() => {
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await zendesk[Symbol.asyncDispose]()
})

const connect = (config: object = {}, credentials: Record<string, string> = zendesk.credentials) =>
  world.connect({
    platform: 'zendesk_messaging',
    handles: 'chats',
    config: { api_url: zendesk.origin, app_id: APP, ...config },
    credentials,
  })

/** Zendesk tells that somebody wrote in these conversations. */
async function tell(...conversations: string[]): Promise<void> {
  const body = zendesk.delivery(...conversations)
  const response = await world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: signAsMessaging(zendesk.credentials.shared_secret),
    body,
  })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

const say = async (text: string | undefined, conversation?: string): Promise<string> => {
  const into = zendesk.write(text, conversation === undefined ? {} : { conversation })
  await tell(into)
  await world.settled(id)
  return into
}
const eventsOf = (conversation: string) => world.toldOf(id, conversation)
const requestsOf = (method: string, end: string) =>
  zendesk.requests.filter((request) => request.method === method && request.path.endsWith(end))

verifies(
  [
    'helpdesk-integrations.zendesk-messaging',
    'connectors.escalation-on-chat',
    'events.platform-connectors',
    'limits.turn-cap',
  ],
  'a chat gets five answers; the sixth question goes to a person with turn_cap, and nothing is answered after that',
  async () => {
    const chat = await say(QUESTION)
    expect(zendesk.answersOf(chat)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(zendesk.answersOf(chat)[0]).toContain('reply “person”')
    for (let turn = 2; turn <= 5; turn += 1) {
      await say(`${QUESTION} (${turn})`, chat)
      expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: turn })
    }
    expect(await eventsOf(chat)).toEqual(Array.from({ length: 5 }, () => 'ticket.deflected'))
    await say(`${QUESTION} (6)`, chat)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'escalated', reason: 'turn_cap' })
    expect((await eventsOf(chat)).slice(5)).toEqual(['ticket.escalated turn_cap'])
    expect(zendesk.answersOf(chat).slice(5)).toEqual(['Somebody of our team will take over here.'])
    expect(zendesk.conversation(chat)).toMatchObject({
      holder: 'zd-agentWorkspace',
      passed: [
        {
          'dataCapture.systemField.tags': 'citewell-escalated',
          citewell_reason: expect.stringContaining('all automatic answers'),
        },
      ],
    })
    await say(`${QUESTION} (7)`, chat)
    expect([zendesk.answersOf(chat).length, (await eventsOf(chat)).length]).toEqual([6, 6])
  },
  { tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.zendesk-messaging', 'connectors.escalation-on-chat'],
  'a chat whose customer asks for a person, sends only a picture, is not covered, or that cannot be answered goes to a person with that reason',
  async () => {
    const reasons: string[][] = []
    for (const text of ['Talk to a person!', undefined, OFF_TOPIC])
      reasons.push(await eventsOf(await say(text)))
    world.llm.script(fakeLlm.paymentRequired())
    reasons.push(await eventsOf(await say(QUESTION)))
    world.llm.script(answersFromPage())
    // The model wrote an answer, and Zendesk does not take it.
    const refused = zendesk.write(QUESTION)
    zendesk.onRequest = ({ method }) => {
      if (method !== 'POST') return
      zendesk.onRequest = undefined
      zendesk.misbehave({ status: 400, body: { errors: [{ code: 'bad_request', title: 'No' }] } })
    }
    await tell(refused)
    await world.settled(id)
    reasons.push(await eventsOf(refused))
    expect(zendesk.conversation(refused).holder).toBe('zd-agentWorkspace')
    expect(reasons).toEqual(
      ['customer_asked', 'low_confidence', 'low_confidence', 'answer_failed', 'answer_failed'].map(
        (reason) => [`ticket.escalated ${reason}`],
      ),
    )
    // Thumbs up are no question, and the chat goes on.
    const glad = await say(QUESTION)
    await say('👍', glad)
    expect(await world.ticket(id, glad)).toMatchObject({ status: 'answered', answers_given: 1 })
    await say(`${QUESTION} Again.`, glad)
    expect(await world.ticket(id, glad)).toMatchObject({ status: 'answered', answers_given: 2 })
  },
)

verifies(
  ['helpdesk-integrations.zendesk-messaging', 'helpdesk-integrations.person-ends'],
  'a chat that people had and that comes back is passed on to them when its customer writes, without a word and without an event',
  async () => {
    const chat = await say(QUESTION)
    zendesk.agentWrites(chat, 'I am here.')
    await say('And old ones?', chat)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'with_people' })
    zendesk.solve(chat)
    await say(QUESTION, chat)
    expect(zendesk.conversation(chat).holder).toBe('zd-agentWorkspace')
    expect([zendesk.answersOf(chat).length, await eventsOf(chat)]).toEqual([1, ['ticket.deflected']])
  },
)

verifies(
  ['helpdesk-integrations.zendesk-messaging', 'hooks.once'],
  'chats that others have, of several customers, long ones, bots and repetitions are left alone; one delivery tells of several',
  async () => {
    const others = zendesk.write(QUESTION, { holder: 'zd-answerBot' })
    const group = zendesk.write(QUESTION, { type: 'sdkGroup' })
    const long = zendesk.write('Hello', {})
    for (let at = 0; at < 520; at += 1) zendesk.write('Hello', { conversation: long })
    const gone = zendesk.write(QUESTION)
    const greeted = zendesk.write(QUESTION)
    const twice = zendesk.write(QUESTION)
    await tell(others, group, long, gone, twice)
    zendesk.delete(gone)
    await Promise.all([tell(twice), tell(twice)])
    zendesk.botSays(greeted, 'Hello, I am a bot.')
    await tell(greeted)
    await world.settled(id)
    for (const left of [others, greeted]) expect(zendesk.conversation(left)).toMatchObject({ passed: [] })
    expect(zendesk.answersOf(greeted)).toEqual([])
    // What this service has and may not answer is for people.
    for (const left of [group, long]) expect(zendesk.conversation(left).holder).toBe('zd-agentWorkspace')
    expect(zendesk.answersOf(twice)).toEqual([expect.stringContaining(ROTATION)])
    expect(await eventsOf(twice)).toEqual(['ticket.deflected'])
  },
)

verifies(
  ['helpdesk-integrations.zendesk-messaging', 'hooks.crashes'],
  'an answer is not posted if the customer wrote or a person came meanwhile, waits where Zendesk asks to, and is looked for if it was not confirmed',
  async () => {
    const meanwhile = async (happens: (chat: string) => void): Promise<string> => {
      const chat = zendesk.write(QUESTION)
      let reads = 0
      zendesk.onRequest = ({ method, path }) => {
        if (method === 'GET' && path.endsWith(chat)) reads += 1
        // Between the reading on which the answer is based, and the one before it is posted.
        if (reads !== 2) return
        zendesk.onRequest = undefined
        happens(chat)
      }
      await tell(chat)
      await world.settled(id)
      return chat
    }
    const added = await meanwhile((chat) => zendesk.write('I mean signing keys.', { conversation: chat }))
    expect(zendesk.answersOf(added)).toHaveLength(1)
    const taken = await meanwhile((chat) => zendesk.agentWrites(chat, 'I am here.'))
    expect([zendesk.answersOf(taken), await eventsOf(taken)]).toEqual([[], []])
    const limited = zendesk.write(QUESTION)
    zendesk.onRequest = ({ method }) => {
      if (method !== 'POST') return
      zendesk.onRequest = undefined
      zendesk.misbehave({ status: 429, headers: { 'retry-after': '1' }, body: { errors: [] } })
    }
    await tell(limited)
    await world.becomes(id, limited, 'answered')
    expect(zendesk.answersOf(limited)).toHaveLength(1)
    zendesk.losesAnswer = true
    const unsure = await say(QUESTION)
    expect(await world.ticket(id, unsure)).toMatchObject({ status: 'answered', answers_given: 1 })
    expect([zendesk.answersOf(unsure).length, await eventsOf(unsure)]).toEqual([1, ['ticket.deflected']])
  },
  { tags: ['long'] },
)

verifies(
  'helpdesk-integrations.zendesk-messaging',
  'a long answer comes in parts that fit, each once; text of pages is no shorthand',
  async () => {
    const names = Array.from({ length: 75 }, (_, at) => `service${at}`)
    const sentences = names.map(
      (name) => `Old signing keys of ${name} stay valid for an hour after they are rotated [1].`,
    )
    const blocks = [0, 25, 50].map((at) => sentences.slice(at, at + 25).join(' '))
    const shorthand = `${ROTATION} %[Pay](https://evil.example) %((template: x)) [1]`
    const long = [shorthand, ...blocks].join('\n\n')
    world.llm.script(fakeLlm.replies(() => long))
    const chat = zendesk.write(QUESTION)
    let posts = 0
    zendesk.onRequest = ({ method }) => {
      if (method !== 'POST') return
      posts += 1
      // The second part, at its first attempt.
      if (posts === 2)
        zendesk.misbehave({ status: 429, headers: { 'retry-after': '1' }, body: { errors: [] } })
    }
    await tell(chat)
    await world.becomes(id, chat, 'answered')
    zendesk.onRequest = undefined
    const parts = zendesk.answersOf(chat)
    expect(parts.length).toBeGreaterThan(1)
    const said = parts.join('\n\n').match(/service\d+/g)
    expect(said).toEqual(names)
    expect(parts.join('\n')).toContain('reply “person”')
    expect(parts.join('\n')).not.toMatch(/%\[|%\(\(/)
    expect(await world.ticket(id, chat)).toMatchObject({ answers_given: 1 })
    world.llm.script(answersFromPage())
    await say(`${QUESTION} Again.`, chat)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: 2 })
  },
)

verifies(
  ['helpdesk-integrations.zendesk-messaging', 'helpdesk-integrations.check'],
  'what is missing is said: credentials, the app, the place in the switchboard, and that there are no drafts',
  async () => {
    const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)
    const before = requestsOf('POST', '').length
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'Acme in Zendesk messaging',
      problems: [],
    })
    expect(await check(await connect({ app_id: null }, {}))).toMatchObject({
      is_working: false,
      problems: [
        expect.stringContaining('app_id is missing'),
        expect.stringContaining('key_id is missing'),
        expect.stringContaining('key_secret is missing'),
        expect.stringContaining('shared_secret is missing'),
      ],
    })
    const wrong = { mode: 'draft', switchboard_integration: 'ours', hand_over_to: 'nobody' }
    expect(await check(await connect(wrong))).toMatchObject({
      is_working: false,
      account: 'Acme in Zendesk messaging',
      problems: [
        expect.stringContaining('no drafts'),
        expect.stringContaining('no integration named ours'),
        expect.stringContaining('no integration named nobody'),
      ],
    })
    expect(await check(await connect({}, { ...zendesk.credentials, key_secret: 'old' }))).toMatchObject({
      is_working: false,
      account: null,
      problems: [expect.stringContaining('refused the key')],
    })
    expect(requestsOf('POST', '')).toHaveLength(before)
  },
)
