import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import {
  ACCOUNT,
  startChatwootStandIn,
  TEAM,
  type ChatwootStandIn,
} from '../../../test/platforms/chatwoot-stand-in.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { signAsChatwoot } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let chatwoot: ChatwootStandIn
let id: string

const connect = (config: object = {}, credentials: Record<string, string> = chatwoot.credentials) =>
  world.connect({
    platform: 'chatwoot',
    handles: 'chats',
    config: { api_url: chatwoot.origin, account_id: ACCOUNT, ...config },
    credentials,
  })

beforeAll(async () => {
  world = await openDeskWorld()
  chatwoot = await startChatwootStandIn()
  id = await connect({ hand_over_to: String(TEAM) })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  chatwoot.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await chatwoot[Symbol.asyncDispose]()
})

const deliver = (body: string) =>
  world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: signAsChatwoot(body, chatwoot.credentials.hook_secret, new Date()),
    body,
  })

async function tell(chat: string, body = chatwoot.delivery(chat)): Promise<void> {
  const response = await deliver(body)
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

const say = async (text: string, chat?: string): Promise<string> => {
  const into = chatwoot.write(text, chat === undefined ? {} : { chat })
  await tell(into)
  await world.settled(id)
  return into
}
const eventsOf = (chat: string) => world.toldOf(id, chat)
const change = (fields: object) => world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)
const TAKES_OVER = 'Somebody of our team will take over here.'

/** What the next message of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<ChatwootStandIn['misbehave']>[0]): void {
  chatwoot.onRequest = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return
    chatwoot.onRequest = undefined
    chatwoot.misbehave(answer)
  }
}

verifies(
  [
    'helpdesk-integrations.chatwoot',
    'connectors.escalation-on-chat',
    'events.platform-connectors',
    'limits.turn-cap',
  ],
  'a chat gets five answers while the bot has it; the sixth question opens it for the team with turn_cap, and nothing is answered after that',
  async () => {
    const chat = await say(QUESTION)
    expect(chatwoot.answersOf(chat)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(chatwoot.chat(chat)).toMatchObject({ status: 'pending', team: undefined })
    for (let turn = 2; turn <= 5; turn += 1) {
      await say(`${QUESTION} (${turn})`, chat)
      expect(await world.ticket(id, chat)).toMatchObject({ status: 'answered', answers_given: turn })
    }
    await say(`${QUESTION} (6)`, chat)
    expect(await world.ticket(id, chat)).toMatchObject({ status: 'escalated', reason: 'turn_cap' })
    expect(await eventsOf(chat)).toEqual([
      ...Array.from({ length: 5 }, () => 'ticket.deflected'),
      'ticket.escalated turn_cap',
    ])
    expect(chatwoot.chat(chat)).toMatchObject({ status: 'open', team: TEAM })
    expect(chatwoot.answersOf(chat).slice(5)).toEqual([TAKES_OVER])
    expect(chatwoot.notesOf(chat)).toEqual([expect.stringContaining('all automatic answers')])
    await say(`${QUESTION} (7)`, chat)
    expect([chatwoot.answersOf(chat).length, (await eventsOf(chat)).length]).toEqual([6, 6])
  },
  { tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.chatwoot', 'connectors.escalation-on-chat'],
  'a chat whose customer asks for a person, that is not covered, or that cannot be answered is opened for people with that reason',
  async () => {
    const asked = await say('Talk to a person!')
    const uncovered = await say(OFF_TOPIC)
    world.llm.script(fakeLlm.paymentRequired())
    const failed = await say(QUESTION)
    world.llm.script(answersFromPage())
    misbehaveOnce({ status: 422, body: { error: 'No' } })
    const refused = await say(QUESTION)
    const reasons = ['customer_asked', 'low_confidence', 'answer_failed', 'answer_failed']
    for (const [at, chat] of [asked, uncovered, failed, refused].entries()) {
      expect(await eventsOf(chat)).toEqual([`ticket.escalated ${reasons[at] ?? ''}`])
      expect(chatwoot.chat(chat)).toMatchObject({ status: 'open', team: TEAM })
      expect(chatwoot.answersOf(chat)).toEqual([TAKES_OVER])
    }
  },
)

verifies(
  ['helpdesk-integrations.chatwoot', 'helpdesk-integrations.person-ends'],
  'what people have is left alone; what came back to the bot afterwards, and what it may not answer, is opened for people without an event',
  async () => {
    const written = await say(QUESTION)
    chatwoot.says(written, 'I am here.')
    chatwoot.chat(written).status = 'open'
    await say('And old ones?', written)
    expect(await world.ticket(id, written)).toMatchObject({ status: 'with_people' })
    expect(chatwoot.answersOf(written)).toHaveLength(1)
    chatwoot.chat(written).status = 'resolved'
    await say(QUESTION, written)
    expect(chatwoot.chat(written).status).toBe('open')
    expect([chatwoot.answersOf(written).length, await eventsOf(written)]).toEqual([1, ['ticket.deflected']])

    const left = ['open', 'snoozed', 'resolved'].map((status) => chatwoot.write(QUESTION, { status }))
    for (const chat of left) await tell(chat)
    const assigned = chatwoot.write(QUESTION)
    Object.assign(chatwoot.chat(assigned), { assignee: { id: 6, name: 'Ada' }, assigneeType: 'User' })
    const mail = chatwoot.write(QUESTION, { channel: 'Channel::Email' })
    for (const chat of [assigned, mail]) await tell(chat)
    await world.settled(id)
    for (const chat of [...left, mail]) expect(chatwoot.answersOf(chat)).toEqual([])
    expect(chatwoot.answersOf(assigned)).toEqual([TAKES_OVER])
    for (const chat of [assigned, mail]) {
      expect(chatwoot.chat(chat).status).toBe('open')
      expect(await eventsOf(chat)).toEqual([])
    }

    const mixed = chatwoot.write(QUESTION)
    chatwoot.says(mixed, 'We reply in minutes.', { by: '' })
    chatwoot.says(mixed, 'I know nothing.', { by: 'captain_assistant' })
    Object.assign(chatwoot.chat(mixed), { assignee: { id: 4, name: 'Citewell' }, assigneeType: 'AgentBot' })
    await tell(mixed)
    await world.settled(id)
    expect(chatwoot.answersOf(mixed)).toEqual([expect.stringContaining(ROTATION)])
  },
)

verifies(
  ['helpdesk-integrations.chatwoot', 'hooks.once', 'hooks.proof'],
  'a message is taken once, however often it is delivered; anything else than a message of a customer is nothing to do; a forged or old one is refused',
  async () => {
    const once = chatwoot.write(QUESTION)
    await Promise.all([tell(once), tell(once)])
    await world.settled(id)
    await tell(once)
    await world.settled(id)
    expect(chatwoot.answersOf(once)).toHaveLength(1)
    expect(await world.citewell.rows(`select 1 from platform_events where lane = '${once}'`)).toHaveLength(1)
    const chat = chatwoot.write(QUESTION)
    const body = JSON.parse(chatwoot.delivery(chat)) as Record<string, unknown>
    const taken = await world.eventsTaken(id)
    for (const other of [
      { ...body, message_type: 'outgoing' },
      { ...body, event: 'message_updated' },
      { ...body, conversation: { id: '../profile' } },
      [],
    ])
      expect((await deliver(JSON.stringify(other))).status).toBe(200)
    expect(await world.eventsTaken(id)).toBe(taken)
    const signed = (at: Date) => signAsChatwoot(JSON.stringify(body), chatwoot.credentials.hook_secret, at)
    const post = (headers: Record<string, string>) =>
      world.citewell.fetch(`/api/v1/hooks/${id}`, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const headers of [
      signed(new Date(Date.now() - 302_000)),
      signed(new Date(Date.now() + 302_000)),
      { ...signed(new Date()), 'x-chatwoot-signature': 'sha256=00' },
      { ...signed(new Date()), 'x-chatwoot-timestamp': 'now' },
    ])
      expect((await post(headers)).status).toBe(401)
    await world.settled(id)
    expect(await world.ticket(id, chat)).toBeUndefined()
    await tell(chat)
    expect(await world.eventsTaken(id)).toBe(taken + 1)
    await world.settled(id)
  },
)

verifies(
  ['helpdesk-integrations.chatwoot', 'helpdesk-integrations.modes'],
  'a draft is a private note, with which people get the chat and the customer no word; who observes posts nothing',
  async () => {
    await change({ config: { mode: 'draft' } })
    const drafted = await say(QUESTION)
    expect(await world.ticket(id, drafted)).toMatchObject({ status: 'drafted' })
    expect(chatwoot.notesOf(drafted)).toEqual([expect.stringContaining(ROTATION)])
    expect(chatwoot.chat(drafted).status).toBe('open')
    const uncovered = await say(OFF_TOPIC)
    expect(chatwoot.chat(uncovered).status).toBe('open')
    await change({ config: { mode: 'observe' } })
    const seen = await say(QUESTION)
    expect(await world.ticket(id, seen)).toMatchObject({ status: 'observed', reason: 'deflected' })
    await change({ config: { mode: 'answer' } })
    for (const chat of [drafted, uncovered, seen]) expect(chatwoot.answersOf(chat)).toEqual([])
    expect([chatwoot.notesOf(seen), chatwoot.chat(seen).status]).toEqual([[], 'pending'])
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.chatwoot'],
  'an answer is not posted if the customer wrote or a person took the chat meanwhile, waits where Chatwoot asks to, and is looked for if it was not confirmed',
  async () => {
    const both = chatwoot.write(QUESTION)
    world.llm.script(async (exchange) => {
      chatwoot.write('I mean signing keys.', { chat: both })
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(both)
    await world.becomes(id, both, 'answered')
    expect(chatwoot.answersOf(both)).toHaveLength(1)
    expect(JSON.stringify(world.llm.requests.at(-1)?.body)).toContain('I mean signing keys')

    const opened = chatwoot.write(QUESTION)
    world.llm.script(async (exchange) => {
      chatwoot.chat(opened).status = 'open'
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(opened)
    await world.settled(id)
    expect(chatwoot.answersOf(opened)).toEqual([])

    const limited = chatwoot.write(QUESTION)
    misbehaveOnce({ status: 429, headers: { 'retry-after': '1' }, body: '' })
    await tell(limited)
    await world.becomes(id, limited, 'answered')
    expect(chatwoot.answersOf(limited)).toHaveLength(1)

    chatwoot.losesAnswer = true
    const unsure = await say(QUESTION)
    expect(await world.ticket(id, unsure)).toMatchObject({ status: 'answered', answers_given: 1 })
    expect(chatwoot.answersOf(unsure)).toHaveLength(1)

    const gone = chatwoot.write(QUESTION)
    world.llm.script(async (exchange) => {
      chatwoot.delete(gone)
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    })
    await tell(gone)
    await world.settled(id)
    expect(await world.problemOf(id)).toContain('is gone: it was deleted or merged meanwhile')
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.chatwoot', 'helpdesk-integrations.check'],
  'a check says what is missing here and there, and whose the tokens are; one that was reset is said on the record',
  async () => {
    expect(await check(id)).toMatchObject({ is_working: true, account: 'Ada in Chatwoot', problems: [] })
    const { bot_token, agent_token, hook_secret } = chatwoot.credentials
    const problemsOf = async (config: object, credentials: Record<string, string>) =>
      ((await check(await connect(config, credentials))) as { problems: string[] }).problems
    const given = { bot_token, agent_token, hook_secret }
    expect(await problemsOf({ hand_over_to: '10' }, { ...given, bot_token: agent_token })).toEqual([
      expect.stringContaining('bot_token is one of a person'),
      expect.stringContaining('no team 10'),
    ])
    expect(await problemsOf({ hand_over_to: 'People' }, { ...given, bot_token: 'reset' })).toEqual([
      expect.stringContaining('not the number of a team: People'),
      expect.stringContaining('does not know bot_token'),
    ])
    expect(await problemsOf({ account_id: '44' }, given)).toEqual([
      expect.stringContaining('does not belong to the account 44'),
    ])
    expect(await problemsOf({ account_id: null }, {})).toEqual([
      expect.stringContaining('account_id is missing'),
      expect.stringContaining('agent_token is missing'),
      expect.stringContaining('bot_token is missing'),
      expect.stringContaining('hook_secret is missing'),
      expect.stringContaining('refused an access token'),
    ])
    await change({ credentials: { ...given, agent_token: 'reset' } })
    const unread = chatwoot.write(QUESTION)
    await tell(unread)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused an access token')
  },
  60_000,
)
