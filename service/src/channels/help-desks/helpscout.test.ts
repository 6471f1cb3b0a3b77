import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersCountWhenTakenInTime } from '../../../test/platforms/answers-when-taken.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import {
  ADA,
  startHelpscoutStandIn,
  TEAM,
  type HelpscoutStandIn,
} from '../../../test/platforms/helpscout-stand-in.ts'
import { signAsHelpscout } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let scout: HelpscoutStandIn
let id: string

const connect = (config: object = {}, credentials: Record<string, string> = scout.credentials) =>
  world.connect({ platform: 'helpscout', config: { api_url: scout.origin, ...config }, credentials })

beforeAll(async () => {
  world = await openDeskWorld()
  scout = await startHelpscoutStandIn()
  id = await connect({ hand_over_to: String(TEAM), status_after_answer: 'closed' })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  scout.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await scout[Symbol.asyncDispose]()
})

const deliver = (body: string, headers: Record<string, string> = {}) =>
  world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: { ...signAsHelpscout(body, scout.credentials.hook_secret), ...headers },
    body,
  })

async function tell(chat: string, body = scout.delivery(chat)): Promise<void> {
  const response = await deliver(body)
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

let events = 0
/** Tells of it again, as something else that happened. */
const tellAnew = (chat: string) =>
  tell(chat, JSON.stringify({ id: Number(chat), threads: (events += 1) + 1_000 }))

const change = (fields: object, of = id) =>
  world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${of}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)

/** What the next thread of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<HelpscoutStandIn['misbehave']>[0]): void {
  scout.onRequest = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/reply')) return
    scout.onRequest = undefined
    scout.misbehave(answer)
  }
}

verifies(
  ['helpdesk-integrations.helpscout', 'connectors.escalation-on-tickets', 'hooks.once'],
  'a conversation is answered once, whatever is delivered again, and given to nobody; when its customer writes again, it goes to the team',
  async () => {
    const chat = scout.write(QUESTION)
    await Promise.all([tell(chat), tell(chat)])
    await world.becomes(id, chat, 'answered')
    const taken = await world.citewell.rows(`select 1 from platform_events where lane = '${chat}'`)
    expect(taken).toHaveLength(1)
    await tellAnew(chat)
    await world.settled(id)
    expect(scout.answersOf(chat)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(scout.chat(chat)).toMatchObject({
      status: 'closed',
      assignee: undefined,
      tags: ['vip', 'citewell-answered'],
    })
    scout.write('That does not help.', { chat })
    await tell(chat)
    await world.becomes(id, chat, 'escalated')
    expect(scout.chat(chat)).toMatchObject({
      status: 'active',
      assignee: { id: TEAM },
      tags: ['vip', 'citewell-answered', 'citewell-escalated'],
    })
    expect(scout.notesOf(chat)).toEqual([expect.stringContaining('wrote again')])
    expect(scout.answersOf(chat)).toHaveLength(1)
    expect(await world.toldOf(id, chat)).toEqual(['ticket.deflected', 'ticket.escalated customer_replied'])
  },
)

verifies(
  ['helpdesk-integrations.helpscout', 'hooks.proof'],
  'only what Help Scout signed about a conversation is taken; a customer or a tag of the same number is none',
  async () => {
    const chat = scout.write(QUESTION)
    const body = scout.delivery(chat)
    for (const signature of ['', 'AAAA', Buffer.from('x').toString('base64')])
      expect((await deliver(body, { 'x-helpscout-signature': signature })).status).toBe(401)
    expect((await deliver(`${body} `, signAsHelpscout(body, scout.credentials.hook_secret))).status).toBe(401)
    const taken = await world.eventsTaken(id)
    for (const event of ['customer.updated', 'tag.created', 'beacon.chat.created', ''])
      expect((await deliver(body, { 'x-helpscout-event': event })).status).toBe(200)
    for (const strange of ['[]', '{"id": "../users/me"}', '{"id": 0}', 'no json'])
      expect((await deliver(strange)).status).toBe(200)
    await world.settled(id)
    expect(await world.eventsTaken(id)).toBe(taken)
    expect(await world.ticket(id, chat)).toBeUndefined()
    await tellAnew(chat)
    expect(await world.eventsTaken(id)).toBe(taken + 1)
    await world.settled(id)
  },
)

verifies(
  ['helpdesk-integrations.helpscout', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.no-loops'],
  'an uncovered conversation is tagged; those of people, chats, closed ones and what programs sent are left alone; what a workflow sends is no person',
  async () => {
    const uncovered = scout.write(OFF_TOPIC)
    const written = scout.write(QUESTION)
    scout.agentWrites(written, 'I am on it.')
    const noted = scout.write(QUESTION)
    scout.agentWrites(noted, 'Mine.', { type: 'note' })
    const assigned = scout.write(QUESTION)
    scout.chat(assigned).assignee = ADA
    const closed = scout.write(QUESTION)
    scout.chat(closed).status = 'closed'
    const chatting = scout.write(QUESTION, { type: 'chat' })
    const bounce = scout.write(QUESTION, { from: 'MAILER-DAEMON@mail.example' })
    const absence = scout.write(QUESTION, { headers: 'Auto-Submitted: auto-replied\r\n' })
    const listed = scout.write(QUESTION, { headers: 'List-Id: <news.mail.example>\r\n' })
    const merged = scout.write(QUESTION)
    scout.merge(merged)
    const gone = scout.write(QUESTION)
    scout.delete(gone)
    const left = [written, noted, assigned, closed, chatting, bounce, absence, listed, merged]
    for (const chat of [uncovered, ...left, gone]) await tellAnew(chat)
    await world.becomes(id, uncovered, 'unanswered')
    for (const chat of [written, noted]) await world.becomes(id, chat, 'with_people')
    await world.settled(id)
    expect(scout.chat(uncovered).tags).toEqual(['vip', 'citewell-unanswered'])
    for (const chat of [uncovered, ...left]) expect(scout.answersOf(chat)).toEqual([])
    for (const chat of left) expect(scout.chat(chat).tags).toEqual(['vip'])
    expect(await world.problemOf(id)).toBeNull()

    const acknowledged = scout.write(QUESTION, { headers: null })
    scout.agentWrites(acknowledged, 'We got your message.', { by: 'automatic-workflow' })
    scout.notes(acknowledged)
    await tell(acknowledged)
    await world.becomes(id, acknowledged, 'answered')

    for (const takes of [
      (chat: string) => scout.agentWrites(chat, 'I take this one.', { type: 'note' }),
      (chat: string) => void Object.assign(scout.chat(chat), { assignee: ADA }),
    ]) {
      const meanwhile = scout.write(QUESTION)
      world.llm.script(async (exchange) => {
        takes(meanwhile)
        await fakeLlm.says(`${ROTATION} [1]`)(exchange)
      })
      await tell(meanwhile)
      await world.settled(id)
      expect(scout.answersOf(meanwhile)).toEqual([])
    }
  },
)

verifies(
  'helpdesk-integrations.no-loops',
  'an address of Help Scout that begins a new conversation with each answer gets ten in a day',
  async () => {
    const chats: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const chat = scout.write(QUESTION, { from: 'robot@mail.example' })
      chats.push(chat)
      await tell(chat)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    expect(chats.filter((chat) => scout.answersOf(chat).length === 1)).toEqual(chats.slice(0, 10))
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.helpscout', 'helpdesk-integrations.modes'],
  'a draft is one of Help Scout, once, without words of ours around it; when a person has sent it, our part ends; who observes posts nothing',
  async () => {
    await change({ config: { mode: 'draft' } })
    const drafted = scout.write(QUESTION)
    scout.chat(drafted).status = 'pending'
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    await tellAnew(drafted)
    await world.settled(id)
    const [text = '', ...more] = scout.draftsOf(drafted)
    expect([text.startsWith(ROTATION), more, scout.answersOf(drafted)]).toEqual([true, [], []])
    expect(text).not.toContain('written automatically')
    expect(scout.chat(drafted)).toMatchObject({ status: 'pending', tags: ['vip', 'citewell-drafted'] })
    scout.sendsDraft(drafted)
    scout.write('Thank you! One more thing.', { chat: drafted })
    await tell(drafted)
    await world.becomes(id, drafted, 'with_people')
    await change({ config: { mode: 'observe' } })
    const seen = scout.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await change({ config: { mode: 'answer' } })
    expect([scout.answersOf(seen), scout.draftsOf(seen), scout.notesOf(seen)]).toEqual([[], [], []])
    expect(scout.chat(seen).tags).toEqual(['vip'])
    for (const chat of [drafted, seen]) expect(await world.toldOf(id, chat)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.helpscout', 'helpdesk-integrations.modes', 'helpdesk-integrations.person-ends'],
  'an answer of ours stays ours when its owner wants drafts from then on, and a draft that a person sent stays theirs when it wants answers again',
  async () => {
    const answered = scout.write(QUESTION)
    await tell(answered)
    await world.becomes(id, answered, 'answered')
    await change({ config: { mode: 'draft' } })
    const drafted = scout.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    scout.sendsDraft(drafted)
    scout.write('That does not help.', { chat: answered })
    await tell(answered)
    await world.becomes(id, answered, 'escalated')
    expect(scout.chat(answered).assignee).toMatchObject({ id: TEAM })
    expect(await world.toldOf(id, answered)).toEqual([
      'ticket.deflected',
      'ticket.escalated customer_replied',
    ])
    await change({ config: { mode: 'answer' } })
    scout.write('Thank you! One more thing.', { chat: drafted })
    await tell(drafted)
    await world.becomes(id, drafted, 'with_people')
    expect(await world.toldOf(id, drafted)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.own-words', 'helpdesk-integrations.helpscout'],
  'an answer counts when Help Scout has taken it: not if the customer wrote meanwhile, later where it asks to wait, found if it was not confirmed, never if it is not taken',
  async () => {
    await answersCountWhenTakenInTime({
      world,
      integrationId: id,
      standIn: scout,
      tell,
      misbehaveOnce,
      asksToWait: { status: 429, headers: { 'x-ratelimit-retry-after': '1' }, body: '' },
      refuses: { status: 400, body: { message: 'Bad request' } },
      writeMore: (chat, text) => scout.write(text, { chat }),
      remove: (chat) => scout.merge(chat),
    })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'helpdesk-integrations.helpscout',
  'what no delivery tells of is read: not what was there before, each message once, however many pages they are, and only in the inboxes of the owner',
  async () => {
    await change({ enabled: false })
    const before = scout.write(QUESTION)
    const { app_id, app_secret } = scout.credentials
    const polled = await connect({ inboxes: '11', hand_over_to: String(ADA.id) }, { app_id, app_secret })
    await world.look(polled)
    const missed = scout.write(QUESTION)
    const others = scout.write(QUESTION, { inbox: 12 })
    await world.look(polled)
    await world.becomes(polled, missed, 'answered')
    await world.settled(polled)
    expect(scout.chat(missed).status).toBe('active')
    for (const chat of [before, others]) expect(scout.answersOf(chat)).toEqual([])
    expect(await world.ticket(polled, before)).toBeUndefined()
    scout.write('And then?', { chat: missed })
    await world.look(polled)
    await world.becomes(polled, missed, 'escalated')
    expect(scout.chat(missed).assignee).toEqual(ADA)

    // They wait for longer than this test takes: that what is found so is read, is seen above.
    await change({ config: { quiet_seconds: 600 } }, polled)
    const many = Array.from({ length: 30 }, () => scout.write('...'))
    await world.look(polled)
    const waiting = await world.waiting(polled)
    // Its hand-over is a change of it.
    expect(new Set(waiting.keys())).toEqual(new Set([missed, ...many]))
    await world.look(polled)
    expect(await world.waiting(polled)).toEqual(waiting)
    await change({ enabled: false }, polled)
  },
  60_000,
)

verifies(
  ['helpdesk-integrations.helpscout', 'helpdesk-integrations.check', 'helpdesk-integrations.outages'],
  'a token is kept, and a new one is asked for when it is not accepted any more; a check says what is missing here and there',
  async () => {
    // A new one: to its first reading all of the above is known.
    id = await connect({ hand_over_to: String(TEAM) })
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'Citewell Bot in Help Scout',
      problems: [],
    })
    await world.settled(id)
    const tokens = scout.tokens()
    expect(tokens).toBe(1)
    scout.revokeTokens()
    const waiting = scout.write(QUESTION)
    await tell(waiting)
    await world.becomes(id, waiting, 'answered')
    expect(scout.tokens()).toBe(tokens + 1)

    const wrong = await connect({ inboxes: '11, 99', hand_over_to: '999' })
    expect(await check(wrong)).toMatchObject({
      is_working: false,
      account: 'Citewell Bot in Help Scout',
      problems: [expect.stringContaining('no inbox 99'), expect.stringContaining('no user or team 999')],
    })
    const named = await connect({ inboxes: 'Help', hand_over_to: 'People' })
    expect(await check(named)).toMatchObject({
      problems: [
        expect.stringContaining('inboxes has something that is no id: Help'),
        expect.stringContaining('hand_over_to is not the id of a user or team: People'),
      ],
    })
    const bare = await connect({}, {})
    expect(await check(bare)).toMatchObject({
      account: null,
      problems: [
        expect.stringContaining('app_id is missing'),
        expect.stringContaining('app_secret is missing'),
        expect.stringContaining('gave no token'),
      ],
    })
    await change({ credentials: { ...scout.credentials, app_secret: 'made anew' } })
    const unread = scout.write(QUESTION)
    await tell(unread)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('gave no token')
    expect(scout.answersOf(unread)).toEqual([])
  },
  { timeout: 60_000, tags: ['long'] },
)
