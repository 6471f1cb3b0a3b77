import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersCountWhenTakenInTime } from '../../../test/platforms/answers-when-taken.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import {
  ADA,
  startHubspotStandIn,
  US,
  type HubspotStandIn,
} from '../../../test/platforms/hubspot-stand-in.ts'
import { signAsHubspot } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let hubspot: HubspotStandIn
let id: string

const connect = (config: object = {}, credentials: Record<string, string> = hubspot.credentials) =>
  world.connect({
    platform: 'hubspot',
    config: { api_url: hubspot.origin, sender: US, ...config },
    credentials,
  })

beforeAll(async () => {
  world = await openDeskWorld()
  hubspot = await startHubspotStandIn()
  id = await connect({ hand_over_to: ADA })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  hubspot.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await hubspot[Symbol.asyncDispose]()
})

const addressOf = (of: string) => `${world.citewell.address}/api/v1/hooks/${of}`
const signed = (body: string, given: { secret?: string; at?: Date; hookUrl?: string } = {}) =>
  signAsHubspot(body, {
    secret: hubspot.credentials.client_secret,
    at: new Date(),
    hookUrl: addressOf(id),
    ...given,
  })
const deliver = (body: string, headers: Record<string, string> = signed(body)) =>
  world.citewell.fetch(`/api/v1/hooks/${id}`, { method: 'POST', headers, body })

async function tell(...threads: string[]): Promise<void> {
  const response = await deliver(hubspot.delivery(...threads))
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

let events = 0
/** Tells of it again, as something else that happened. */
async function tellAnew(thread: string): Promise<void> {
  const event = {
    eventId: (events += 1),
    occurredAt: Date.now(),
    subscriptionType: 'conversation.propertyChange',
    objectId: Number(thread),
  }
  expect((await deliver(JSON.stringify([event]))).status).toBe(200)
}

const change = (fields: object, of = id) =>
  world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${of}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)

/** What the next message of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<HubspotStandIn['misbehave']>[0]): void {
  hubspot.onRequest = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return
    hubspot.onRequest = undefined
    hubspot.misbehave(answer)
  }
}

verifies(
  ['helpdesk-integrations.hubspot', 'connectors.escalation-on-tickets', 'hooks.once'],
  'a thread is answered once, whatever is delivered again, and closed with its answer; when its customer writes again, it goes to a user, and is not closed with the answer before',
  async () => {
    await change({ config: { close_after_answer: 'yes' } })
    const thread = hubspot.write(QUESTION)
    const body = hubspot.delivery(thread)
    const [creation = {}, message = {}] = JSON.parse(body) as object[]
    const again = JSON.stringify([
      { ...message, attemptNumber: 1 },
      { ...creation, attemptNumber: 2 },
    ])
    for (const response of await Promise.all([deliver(body), deliver(body), deliver(again)]))
      expect([response.status, await response.text()]).toEqual([200, '{}'])
    await world.becomes(id, thread, 'answered')
    // One for each event, of whatever request.
    const taken = await world.citewell.rows(`select 1 from platform_events where lane = '${thread}'`)
    expect(taken).toHaveLength(2)
    await tellAnew(thread)
    await world.settled(id)
    expect(hubspot.answersOf(thread)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(hubspot.thread(thread)).toMatchObject({ status: 'CLOSED', assignedTo: US })
    expect(hubspot.thread(thread).messages.findLast(({ type }) => type === 'MESSAGE')).toMatchObject({
      senders: [{ actorId: US }],
      subject: 'Re: Help',
      channelAccountId: '779',
    })
    hubspot.write('That does not help.', { thread })
    await tell(thread)
    await world.becomes(id, thread, 'escalated')
    expect(hubspot.thread(thread)).toMatchObject({ status: 'OPEN', assignedTo: ADA })
    expect(hubspot.commentsOf(thread)).toEqual([expect.stringContaining('wrote again')])
    expect(hubspot.answersOf(thread)).toHaveLength(1)
    expect(await world.toldOf(id, thread)).toEqual(['ticket.deflected', 'ticket.escalated customer_replied'])

    const quick = hubspot.write(QUESTION)
    hubspot.onRequest = ({ method, path }) => {
      if (method !== 'GET' || hubspot.answersOf(quick).length === 0 || !path.endsWith('/messages')) return
      hubspot.onRequest = undefined
      hubspot.write('One more thing.', { thread: quick })
    }
    await tell(quick)
    await world.becomes(id, quick, 'answered')
    expect(hubspot.onRequest).toBeUndefined()
    expect(hubspot.thread(quick)).toMatchObject({ status: 'OPEN', assignedTo: US })
    await change({ config: { close_after_answer: '' } })
  },
)

verifies(
  ['helpdesk-integrations.hubspot', 'hooks.once'],
  'a request that tells of several threads has each one answered; events whose ids are the same are several',
  async () => {
    const told = [hubspot.write(QUESTION), hubspot.write(QUESTION), hubspot.write(QUESTION)]
    await tell(...told)
    for (const thread of told) await world.becomes(id, thread, 'answered')
    await tell(...told.toReversed())
    await world.settled(id)
    for (const thread of told) expect(hubspot.answersOf(thread)).toHaveLength(1)
  },
)

verifies(
  ['helpdesk-integrations.hubspot', 'hooks.proof'],
  'only what HubSpot signed for our public address about a conversation is taken; a contact of the same number is none',
  async () => {
    const thread = hubspot.write(QUESTION)
    const body = hubspot.delivery(thread)
    const other = await connect({ inboxes: '12' })
    for (const headers of [
      signed(body, { hookUrl: addressOf(other) }),
      signed(body, { hookUrl: `https://elsewhere.example/api/v1/hooks/${id}` }),
      {
        ...signed(body, { hookUrl: `https://elsewhere.example/api/v1/hooks/${id}` }),
        host: 'elsewhere.example',
      },
      { ...signed(body), 'x-hubspot-request-timestamp': String(Date.now() - 5_000) },
      signed(body, { at: new Date(Date.now() - 301_000) }),
      signed(body, { secret: 'another' }),
      { ...signed(body), 'x-hubspot-signature-v3': '' },
      { ...signed(body), 'x-hubspot-request-timestamp': '1'.repeat(13) },
    ])
      expect((await deliver(body, headers)).status).toBe(401)
    expect((await deliver(`${body} `, signed(body))).status).toBe(401)
    const taken = await world.eventsTaken(id)
    const contact = body.replaceAll('conversation.', 'contact.')
    for (const strange of [contact, '[]', '{}', '[{"objectId": 1}]', 'no json'])
      expect((await deliver(strange)).status).toBe(200)
    expect((await deliver(body.replaceAll(`"objectId":${thread}`, '"objectId":"../inboxes"'))).status).toBe(
      200,
    )
    await world.settled(id)
    expect(await world.eventsTaken(id)).toBe(taken)
    expect(await world.ticket(id, thread)).toBeUndefined()
    await tellAnew(thread)
    expect(await world.eventsTaken(id)).toBe(taken + 1)
    await world.settled(id)
    await change({ enabled: false }, other)
  },
)

verifies(
  ['helpdesk-integrations.hubspot', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.no-loops'],
  'threads of people, chats, spam, closed ones and what programs sent are left alone; what a bot or a workflow sends is no person',
  async () => {
    const uncovered = hubspot.write(OFF_TOPIC)
    const written = hubspot.write(QUESTION)
    hubspot.says(written, 'I am on it.')
    const commented = hubspot.write(QUESTION)
    hubspot.says(commented, 'Mine.', { type: 'COMMENT' })
    // A user who writes in another program.
    const elsewhere = hubspot.write(QUESTION)
    hubspot.says(elsewhere, 'On it.', { client: { clientType: 'INTEGRATION', integrationAppId: 5 } })
    const ours = hubspot.write(QUESTION)
    hubspot.says(ours, 'I write as the user that answers.', { by: US })
    const assigned = hubspot.write(QUESTION)
    hubspot.thread(assigned).assignedTo = ADA
    const closed = hubspot.write(QUESTION)
    hubspot.thread(closed).status = 'CLOSED'
    const spam = hubspot.write(QUESTION)
    hubspot.thread(spam).spam = true
    const chatting = hubspot.write(QUESTION, { channel: '1000' })
    const bounce = hubspot.write(QUESTION, { from: 'mailer-daemon@mail.example' })
    const archived = hubspot.write(QUESTION)
    hubspot.thread(archived).archived = true
    const gone = hubspot.write(QUESTION)
    hubspot.delete(gone)
    const ofPeople = [written, commented, elsewhere, ours]
    const left = [...ofPeople, assigned, closed, spam, chatting, bounce, archived]
    for (const thread of [uncovered, ...left, gone]) await tellAnew(thread)
    await world.becomes(id, uncovered, 'unanswered')
    for (const thread of ofPeople) await world.becomes(id, thread, 'with_people')
    await world.settled(id)
    for (const thread of [uncovered, ...left])
      expect([hubspot.answersOf(thread), hubspot.commentsOf(thread)]).toEqual([[], []])
    expect(await world.problemOf(id)).toBeNull()

    const greeted = hubspot.write(QUESTION, { isUnknown: true })
    hubspot.says(greeted, 'Hello, I am a bot.', { by: 'B-1' })
    hubspot.says(greeted, 'We got your message.', { client: { clientType: 'SYSTEM' } })
    const app = { clientType: 'INTEGRATION', integrationAppId: 5 }
    hubspot.says(greeted, 'Seen elsewhere.', { by: 'I-5', type: 'COMMENT', client: app })
    await tell(greeted)
    await world.becomes(id, greeted, 'answered')
    expect(hubspot.answersOf(greeted)).toHaveLength(1)

    for (const takes of [
      (thread: string) => hubspot.says(thread, 'I take this one.', { type: 'COMMENT' }),
      (thread: string) => void Object.assign(hubspot.thread(thread), { assignedTo: ADA }),
      (thread: string) => void Object.assign(hubspot.thread(thread), { status: 'CLOSED' }),
    ]) {
      const meanwhile = hubspot.write(QUESTION)
      world.llm.script(async (exchange) => {
        takes(meanwhile)
        await fakeLlm.says(`${ROTATION} [1]`)(exchange)
      })
      await tell(meanwhile)
      await world.settled(id)
      expect(hubspot.answersOf(meanwhile)).toEqual([])
    }
  },
  60_000,
)

verifies(
  'helpdesk-integrations.no-loops',
  'an address of HubSpot that begins a new thread with each answer gets ten in a day',
  async () => {
    const threads: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const thread = hubspot.write(QUESTION, { from: 'robot@mail.example' })
      threads.push(thread)
      await tell(thread)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    const answered = threads.filter((thread) => hubspot.answersOf(thread).length === 1)
    expect(answered).toEqual(threads.slice(0, 10))
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.hubspot', 'helpdesk-integrations.modes'],
  'a draft is a comment, once; when a person has answered, our part ends; who observes posts nothing',
  async () => {
    await change({ config: { mode: 'draft' } })
    const drafted = hubspot.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    await tellAnew(drafted)
    await world.settled(id)
    expect([hubspot.commentsOf(drafted), hubspot.answersOf(drafted)]).toEqual([
      [expect.stringContaining('Draft of an answer')],
      [],
    ])
    hubspot.says(drafted, ROTATION)
    hubspot.write('Thank you! One more thing.', { thread: drafted })
    await tell(drafted)
    await world.becomes(id, drafted, 'with_people')
    await change({ config: { mode: 'observe' } })
    const seen = hubspot.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await change({ config: { mode: 'answer' } })
    expect([hubspot.answersOf(seen), hubspot.commentsOf(seen)]).toEqual([[], []])
    for (const thread of [drafted, seen]) expect(await world.toldOf(id, thread)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.own-words', 'helpdesk-integrations.hubspot'],
  'an answer counts when HubSpot has taken it: not if the customer wrote meanwhile, later where it asks to wait, found if it was not confirmed, never if it is not taken',
  async () => {
    const policy = { policyName: 'TEN_SECONDLY_ROLLING', errorType: 'RATE_LIMIT', status: 'error' }
    await answersCountWhenTakenInTime({
      world,
      integrationId: id,
      standIn: hubspot,
      tell,
      misbehaveOnce,
      asksToWait: { status: 429, headers: { 'retry-after': '1' }, body: policy },
      refuses: { status: 400, body: { status: 'error', category: 'VALIDATION_ERROR' } },
      writeMore: (thread, text) => hubspot.write(text, { thread, isLong: true }),
      remove: (thread) => hubspot.delete(thread),
    })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'helpdesk-integrations.hubspot',
  'what no delivery tells of is read: not what was there before, each message once, however many pages they are, and only in the inboxes of the owner',
  async () => {
    await change({ enabled: false })
    const before = hubspot.write(QUESTION)
    const { access_token } = hubspot.credentials
    const polled = await connect({ inboxes: '11', hand_over_to: ADA }, { access_token })
    await world.look(polled)
    const missed = hubspot.write(QUESTION)
    const others = hubspot.write(QUESTION, { inbox: '12' })
    await world.look(polled)
    await world.becomes(polled, missed, 'answered')
    await world.settled(polled)
    for (const thread of [before, others]) expect(hubspot.answersOf(thread)).toEqual([])
    expect(await world.ticket(polled, before)).toBeUndefined()
    hubspot.forget()
    await world.look(polled)
    await world.settled(polled)
    // Our own answer is nothing new.
    expect(hubspot.requests.filter(({ path }) => path.endsWith('/messages'))).toEqual([])
    hubspot.write('And then?', { thread: missed })
    await world.look(polled)
    await world.becomes(polled, missed, 'escalated')
    expect(hubspot.thread(missed).assignedTo).toBe(ADA)

    // They wait for longer than this test takes: that what is found so is read, is seen above.
    await change({ config: { quiet_seconds: 600 } }, polled)
    const many = Array.from({ length: 101 }, () => hubspot.write('...'))
    await world.look(polled)
    const waiting = await world.waiting(polled)
    expect(new Set(waiting.keys())).toEqual(new Set(many))
    await world.look(polled)
    expect(await world.waiting(polled)).toEqual(waiting)
    await change({ enabled: false }, polled)
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.hubspot', 'helpdesk-integrations.check', 'helpdesk-integrations.outages'],
  'a check says what is missing here and there; a token that was rotated is said on the record',
  async () => {
    // A new one: to its first reading all of the above is known.
    id = await connect({ hand_over_to: ADA })
    const setup = await world.citewell.json('GET', `/api/v1/helpdesk-integrations/${id}/setup`)
    expect(setup).toMatchObject({ hook_url: addressOf(id) })
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'account 62515 of HubSpot',
      problems: [],
    })
    const wrong = await connect({ inboxes: '11, 99', sender: 'A-98', hand_over_to: 'A-99' })
    expect(await check(wrong)).toMatchObject({
      is_working: false,
      account: 'account 62515 of HubSpot',
      problems: [
        expect.stringContaining('no inbox 99'),
        expect.stringContaining('no user A-98, which is set as sender'),
        expect.stringContaining('no user A-99, which is set as hand_over_to'),
      ],
    })
    const named = await connect({ inboxes: 'Help', sender: 'ada@acme.example', hand_over_to: '71' })
    expect(await check(named)).toMatchObject({
      problems: [
        expect.stringContaining('inboxes has something that is no id: Help'),
        expect.stringContaining('sender is no user such as A-123: ada@acme.example'),
        expect.stringContaining('hand_over_to is no user such as A-123: 71'),
      ],
    })
    const bare = await connect({ sender: '' }, {})
    expect(await check(bare)).toMatchObject({
      account: null,
      problems: [
        expect.stringContaining('access_token is missing'),
        expect.stringContaining('sender is missing'),
        expect.stringContaining('refused the access token'),
      ],
    })
    hubspot.scopes = ['conversations.read', 'oauth']
    expect(await check(id)).toMatchObject({
      is_working: false,
      problems: [expect.stringContaining('lacks a scope: conversations.write')],
    })
    const unposted = hubspot.write(QUESTION)
    await tell(unposted)
    await expect
      .poll(() => world.problemOf(id), { timeout: 10_000 })
      .toContain('lacks a scope: conversations.write')
    hubspot.scopes = ['conversations.read', 'conversations.write', 'oauth']
    await world.settled(id)
    await change({
      credentials: { access_token: 'pat-na1-old', client_secret: hubspot.credentials.client_secret },
    })
    const unread = hubspot.write(QUESTION)
    await tell(unread)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused the access token')
    expect(hubspot.answersOf(unread)).toEqual([])
  },
  60_000,
)
