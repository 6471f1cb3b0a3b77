import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersCountWhenTakenInTime } from '../../../test/platforms/answers-when-taken.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { startFrontStandIn, US, type FrontStandIn } from '../../../test/platforms/front-stand-in.ts'
import { signAsFront } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let front: FrontStandIn
let id: string

const TAGS = { answered_tag: 'tag_answered', unanswered_tag: 'tag_unanswered' }
const connect = (config: object = {}, credentials: Record<string, string> = front.credentials) =>
  world.connect({
    platform: 'front',
    config: { api_url: front.origin, teammate: US, ...config },
    credentials,
  })

beforeAll(async () => {
  world = await openDeskWorld()
  front = await startFrontStandIn()
  id = await connect({ ...TAGS, hand_over_to: 'inb_people', archive_after_answer: 'yes' })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  front.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await front[Symbol.asyncDispose]()
})

const deliver = (body: string, given: { headers?: Record<string, string>; at?: Date } = {}) =>
  world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: {
      ...signAsFront(body, front.credentials.signing_key, given.at ?? new Date()),
      ...given.headers,
    },
    body,
  })

/** Front tells that a customer wrote. */
async function tell(chat: string, event?: string): Promise<void> {
  const response = await deliver(front.delivery(chat, event))
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

let events = 0
/** Tells of it again, as something else that happened. */
const tellAnew = (chat: string) => tell(chat, `evt_anew${(events += 1)}`)

const change = (fields: object) => world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)

/** What the next message of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<FrontStandIn['misbehave']>[0]): void {
  front.onRequest = ({ method }) => {
    if (method !== 'POST') return
    front.onRequest = undefined
    front.misbehave(answer)
  }
}

verifies(
  ['helpdesk-integrations.front', 'connectors.escalation-on-tickets', 'hooks.once'],
  'a conversation is answered once, whatever is delivered again; when its customer writes again, it goes to the inbox of people',
  async () => {
    const chat = front.write(QUESTION)
    await Promise.all([tell(chat), tell(chat)])
    await world.becomes(id, chat, 'answered')
    const taken = await world.citewell.rows(`select 1 from platform_events where lane = '${chat}'`)
    expect(taken).toHaveLength(1)
    await tellAnew(chat)
    await world.settled(id)
    expect(front.answersOf(chat)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(front.chat(chat)).toMatchObject({ status: 'archived', tags: ['tag_answered'] })
    front.write('That does not help.', { chat })
    await tell(chat)
    await world.becomes(id, chat, 'escalated')
    expect(front.chat(chat)).toMatchObject({ status: 'unassigned', inbox: 'inb_people' })
    expect(front.notesOf(chat)).toEqual([expect.stringContaining('wrote again')])
    expect(front.answersOf(chat)).toHaveLength(1)
    expect(await world.toldOf(id, chat)).toEqual(['ticket.deflected', 'ticket.escalated customer_replied'])
  },
)

verifies(
  ['helpdesk-integrations.front', 'hooks.proof'],
  'the address answers the challenge of Front, but to nobody who cannot sign, and to no old or future request',
  async () => {
    const sync = JSON.stringify({ type: 'sync', authorization: { id: 'cmp_1' } })
    const headers = { 'x-front-challenge': 'random' }
    const answered = await deliver(sync, { headers })
    expect([answered.status, await answered.json()]).toEqual([200, { challenge: 'random' }])
    for (const at of [Date.now() - 301_000, Date.now() + 301_000])
      expect((await deliver(sync, { headers, at: new Date(at) })).status).toBe(401)
    const forged = await deliver(sync, { headers: { ...headers, 'x-front-signature': 'AAAA' } })
    expect([forged.status, await forged.text()]).toEqual([401, expect.not.stringContaining('random')])
    const taken = await world.eventsTaken(id)
    for (const body of ['[]', '{"payload": {"id": "evt_1", "conversation": {"id": "../me"}}}', 'no json'])
      expect((await deliver(body)).status).toBe(200)
    expect(await world.eventsTaken(id)).toBe(taken)
    await tellAnew(front.write(OFF_TOPIC))
    expect(await world.eventsTaken(id)).toBe(taken + 1)
    await world.settled(id)
  },
)

verifies(
  ['helpdesk-integrations.front', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.no-loops'],
  'an uncovered conversation is tagged; those of people, chats, archived ones and mailer daemons are left alone; the acknowledgement of a rule is no person',
  async () => {
    const uncovered = front.write(OFF_TOPIC)
    const written = front.write(QUESTION)
    front.agentWrites(written, 'I am on it.')
    const commented = front.write(QUESTION)
    front.comments(commented, 'Mine.')
    const elsewhere = front.write(QUESTION)
    front.sendsWithoutAuthor(elsewhere, 'Sent with a phone.', 90)
    const assigned = front.write(QUESTION)
    front.chat(assigned).assignee = { id: 'tea_ada' }
    const archived = front.write(QUESTION)
    front.chat(archived).status = 'archived'
    const sms = front.write(QUESTION, { type: 'sms' })
    const bounce = front.write(QUESTION, { from: 'MAILER-DAEMON@mail.example' })
    const gone = front.write(QUESTION)
    front.delete(gone)
    const left = [written, commented, elsewhere, assigned, archived, sms, bounce]
    for (const chat of [uncovered, ...left, gone]) await tell(chat)
    await world.becomes(id, uncovered, 'unanswered')
    for (const chat of [written, commented, elsewhere]) await world.becomes(id, chat, 'with_people')
    await world.settled(id)
    expect(front.chat(uncovered).tags).toEqual(['tag_unanswered'])
    for (const chat of [uncovered, ...left]) expect(front.answersOf(chat)).toEqual([])
    for (const chat of left) expect(front.chat(chat).tags).toEqual([])

    const acknowledged = front.write(QUESTION)
    front.sendsWithoutAuthor(acknowledged, 'We got your message.', 1)
    await tell(acknowledged)
    await world.becomes(id, acknowledged, 'answered')

    const meanwhile = front.write(QUESTION)
    world.llm.script(async (exchange) => {
      front.comments(meanwhile, 'I take this one.')
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    })
    await tell(meanwhile)
    await world.becomes(id, meanwhile, 'with_people')
    expect(front.answersOf(meanwhile)).toEqual([])
  },
)

verifies(
  'helpdesk-integrations.no-loops',
  'an address that begins a new conversation with each answer gets ten in a day',
  async () => {
    const chats: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const chat = front.write(QUESTION, { from: 'robot@mail.example' })
      chats.push(chat)
      await tell(chat)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    expect(chats.filter((chat) => front.answersOf(chat).length === 1)).toEqual(chats.slice(0, 10))
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.front', 'helpdesk-integrations.modes'],
  'a draft is a shared draft of Front, once, without words of ours around it; when a person has sent it, our part ends; who observes posts nothing',
  async () => {
    await change({ config: { mode: 'draft', channel: null } })
    const unset = front.write(QUESTION)
    await tell(unset)
    await world.settled(id)
    expect(await world.problemOf(id)).toContain('The setting channel is missing')
    await change({ config: { channel: 'cha_help' } })
    const drafted = front.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    await tellAnew(drafted)
    await world.settled(id)
    const [text = '', ...more] = front.draftsOf(drafted)
    expect([text.startsWith(ROTATION), more, front.answersOf(drafted)]).toEqual([true, [], []])
    expect(text).not.toContain('written automatically')
    front.sendsDraft(drafted)
    front.write('Thank you! One more thing.', { chat: drafted })
    await tell(drafted)
    await world.becomes(id, drafted, 'with_people')
    await change({ config: { mode: 'observe' } })
    const seen = front.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await change({ config: { mode: 'answer', channel: null } })
    expect([front.answersOf(seen), front.draftsOf(seen), front.notesOf(seen)]).toEqual([[], [], []])
    for (const chat of [drafted, seen]) expect(await world.toldOf(id, chat)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.front', 'helpdesk-integrations.modes', 'helpdesk-integrations.person-ends'],
  'an answer of ours stays ours when its owner wants drafts from then on, and a draft that a person sent stays theirs when it wants answers again',
  async () => {
    const answered = front.write(QUESTION)
    await tell(answered)
    await world.becomes(id, answered, 'answered')
    await change({ config: { mode: 'draft', channel: 'cha_help' } })
    const drafted = front.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    front.sendsDraft(drafted)
    front.write('That does not help.', { chat: answered })
    await tell(answered)
    await world.becomes(id, answered, 'escalated')
    expect(front.chat(answered).inbox).toBe('inb_people')
    expect(await world.toldOf(id, answered)).toEqual([
      'ticket.deflected',
      'ticket.escalated customer_replied',
    ])
    await change({ config: { mode: 'answer', channel: null } })
    front.write('Thank you! One more thing.', { chat: drafted })
    await tell(drafted)
    await world.becomes(id, drafted, 'with_people')
    expect(await world.toldOf(id, drafted)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.front', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.posted'],
  'without a teammate, nobody is us: nothing is posted, what was sent without an author is a person’s, and the record says what to set',
  async () => {
    for (const mode of ['draft', 'answer']) {
      await change({ config: { teammate: 'ada', mode, channel: 'cha_help' } })
      const asked = front.write(QUESTION)
      await tell(asked)
      await world.settled(id)
      expect([front.answersOf(asked), front.draftsOf(asked)]).toEqual([[], []])
      expect(await world.ticket(id, asked)).toMatchObject({ status: 'open', answers_given: 0 })
      expect(await world.problemOf(id)).toContain('The setting teammate is missing, or is no id')
    }
    const elsewhere = front.write(QUESTION)
    front.sendsWithoutAuthor(elsewhere, 'Sent with a phone.', 90)
    await tell(elsewhere)
    await world.becomes(id, elsewhere, 'with_people')
    await change({ config: { teammate: US, mode: 'answer', channel: null } })
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.own-words', 'helpdesk-integrations.front'],
  'an answer counts when Front has taken it: not if the customer wrote meanwhile, later where it asks to wait, found if it was not confirmed, never if it is not taken',
  async () => {
    await answersCountWhenTakenInTime({
      world,
      integrationId: id,
      standIn: front,
      tell,
      misbehaveOnce,
      asksToWait: { status: 429, headers: { 'retry-after': '1' }, body: { _error: { status: 429 } } },
      refuses: { status: 400, body: { _error: { status: 400, title: 'Bad request' } } },
      writeMore: (chat, text) => front.write(text, { chat }),
      remove: (chat) => front.delete(chat),
    })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'helpdesk-integrations.front',
  'what no delivery tells of is read: not what was there before, each event once, however many pages they are, and only in the inboxes of the owner',
  async () => {
    await change({ enabled: false })
    const before = front.write(QUESTION)
    const { api_token } = front.credentials
    const polled = await connect({ inboxes: 'inb_help, inb_sales', hand_over_to: 'tea_ada' }, { api_token })
    await world.look(polled)
    const missed = front.write(QUESTION)
    const others = front.write(QUESTION, { inbox: 'inb_people' })
    await world.look(polled)
    await world.becomes(polled, missed, 'answered')
    await world.settled(polled)
    for (const chat of [before, others]) expect(front.answersOf(chat)).toEqual([])
    expect(await world.ticket(polled, before)).toBeUndefined()
    front.forget()
    await world.look(polled)
    await world.settled(polled)
    // Our own answer is nothing new.
    expect(front.requests.filter(({ path }) => path.endsWith('/messages'))).toEqual([])
    front.write('And then?', { chat: missed })
    await world.look(polled)
    await world.becomes(polled, missed, 'escalated')
    expect(front.chat(missed).assignee).toEqual({ id: 'tea_ada' })

    // They wait for longer than this test takes: that what is found so is read, is seen above.
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${polled}`, {
      config: { quiet_seconds: 600 },
    })
    const many = Array.from({ length: 20 }, () => front.write('...'))
    await world.look(polled)
    const waiting = await world.waiting(polled)
    expect(new Set(waiting.keys())).toEqual(new Set(many))
    await world.look(polled)
    expect(await world.waiting(polled)).toEqual(waiting)
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${polled}`, { enabled: false })
  },
  60_000,
)

verifies(
  ['helpdesk-integrations.front', 'helpdesk-integrations.check', 'helpdesk-integrations.outages'],
  'a check says what is missing here and there; a token that is deleted is said on the record',
  async () => {
    // A new one: to its first reading all of the above is known.
    id = await connect({ ...TAGS, hand_over_to: 'inb_people' })
    expect(await check(id)).toMatchObject({ is_working: true, account: 'Acme in Front', problems: [] })
    front.scopes.events = false
    const config = { teammate: 'ada', mode: 'draft', hand_over_to: 'inb_gone', answered_tag: 'tag_gone' }
    const weak = await connect(config)
    expect(await check(weak)).toMatchObject({
      is_working: false,
      account: 'Acme in Front',
      problems: [
        expect.stringContaining('The setting channel is missing'),
        expect.stringContaining('may not read events'),
        expect.stringContaining('teammate is no id such as tea_123: ada'),
        expect.stringContaining('Front has no inb_gone, which is set as hand_over_to'),
        expect.stringContaining('Front has no tag_gone'),
      ],
    })
    front.scopes.events = true
    const bare = await connect({ teammate: null }, {})
    expect(await check(bare)).toMatchObject({
      account: null,
      problems: [
        expect.stringContaining('api_token is missing'),
        expect.stringContaining('teammate is missing'),
        expect.stringContaining('refused the API token'),
      ],
    })
    await change({ credentials: { ...front.credentials, api_token: 'deleted' } })
    const waiting = front.write(QUESTION)
    await tell(waiting)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused the API token')
    expect(front.answersOf(waiting)).toEqual([])
  },
)
