import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersCountWhenTaken } from '../../../test/platforms/answers-when-taken.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { startFreshdeskStandIn, type FreshdeskStandIn } from '../../../test/platforms/freshdesk-stand-in.ts'
import { signAsFreshdesk } from '../../../test/platforms/platform-proofs.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let freshdesk: FreshdeskStandIn
let id: string

const connect = (config: object = {}, credentials: Record<string, string> = freshdesk.credentials) =>
  world.connect({ platform: 'freshdesk', config: { api_url: freshdesk.origin, ...config }, credentials })

beforeAll(async () => {
  world = await openDeskWorld()
  freshdesk = await startFreshdeskStandIn()
  id = await connect({ status_after_answer: 'pending', hand_over_to: '42' })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  freshdesk.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await freshdesk[Symbol.asyncDispose]()
})

const deliver = (body: string, secret = freshdesk.credentials.hook_secret, to = id) =>
  world.citewell.fetch(`/api/v1/hooks/${to}`, { method: 'POST', headers: signAsFreshdesk(secret), body })

/** The automation of Freshdesk tells that something happened to a ticket. */
async function tell(ticket: string, to = id): Promise<void> {
  const body = JSON.stringify({ ticket_id: ticket, comment: 'What a delivery says of a ticket is not used.' })
  const response = await deliver(body, freshdesk.credentials.hook_secret, to)
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

const change = (fields: object) => world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)

/** Instead of waiting for the next attempt. */
async function hasten(ticket: string): Promise<void> {
  await world.hasten(ticket)
  await tell(ticket)
}

/** What the next message of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<FreshdeskStandIn['misbehave']>[0]): void {
  freshdesk.onRequest = ({ method }) => {
    if (method !== 'POST') return
    freshdesk.onRequest = undefined
    freshdesk.misbehave(answer)
  }
}

verifies(
  ['helpdesk-integrations.freshdesk', 'connectors.escalation-on-tickets', 'hooks.once'],
  'a ticket is answered once, whatever is delivered again; when its customer writes again, it goes to the group of people',
  async () => {
    const ticket = freshdesk.write(QUESTION)
    await Promise.all([tell(ticket), tell(ticket)])
    await world.becomes(id, ticket, 'answered')
    await tell(ticket)
    await world.settled(id)
    expect(freshdesk.answersOf(ticket)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(freshdesk.ticket(ticket)).toMatchObject({ status: 3, tags: ['vip', 'citewell-answered'] })

    freshdesk.rates(ticket)
    await tell(ticket)
    await world.settled(id)
    expect(await world.ticket(id, ticket)).toMatchObject({ status: 'answered' })

    freshdesk.write('That does not help.', { ticket })
    await tell(ticket)
    await world.becomes(id, ticket, 'escalated')
    expect(freshdesk.ticket(ticket)).toMatchObject({
      status: 2,
      group_id: 42,
      tags: ['vip', 'citewell-answered', 'citewell-escalated'],
    })
    expect(freshdesk.answersOf(ticket)).toHaveLength(1)
    expect(freshdesk.notesOf(ticket)).toEqual([expect.stringContaining('wrote again')])
    expect(await world.toldOf(id, ticket)).toEqual(['ticket.deflected', 'ticket.escalated customer_replied'])
  },
)

verifies(
  ['helpdesk-integrations.freshdesk', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.no-loops'],
  'an uncovered ticket is marked; calls, chats, mail of the team, spam, mailer daemons, closed tickets and those of people are left alone',
  async () => {
    const uncovered = freshdesk.write(OFF_TOPIC)
    const call = freshdesk.write(QUESTION, { source: 3 })
    const chat = freshdesk.write(QUESTION, { source: 7 })
    const outbound = freshdesk.write(QUESTION, { source: 10 })
    const spam = freshdesk.write(QUESTION)
    freshdesk.ticket(spam).spam = true
    const bounce = freshdesk.write(QUESTION, { email: 'MAILER-DAEMON@mail.example' })
    const closed = freshdesk.write(QUESTION)
    freshdesk.ticket(closed).status = 5
    const noted = freshdesk.write(QUESTION)
    freshdesk.agentWrites(noted, 'Mine.', { private: true })
    const gone = freshdesk.write(QUESTION)
    freshdesk.delete(gone)
    const left = [call, chat, outbound, spam, bounce, closed, noted]
    for (const ticket of [uncovered, ...left, gone, '999', '0']) await tell(ticket)
    await world.becomes(id, uncovered, 'unanswered')
    await world.becomes(id, noted, 'with_people')
    await world.settled(id)
    expect(freshdesk.ticket(uncovered).tags).toEqual(['vip', 'citewell-unanswered'])
    for (const ticket of [uncovered, ...left]) expect(freshdesk.answersOf(ticket)).toEqual([])
    for (const ticket of left) expect(freshdesk.ticket(ticket).tags).toEqual(['vip'])
    expect(await world.ticket(id, gone)).toMatchObject({ status: 'open' })

    const taken = freshdesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      freshdesk.agentWrites(taken, 'I am on it.')
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    })
    await tell(taken)
    await world.becomes(id, taken, 'with_people')
    expect(freshdesk.answersOf(taken)).toEqual([])
  },
)

verifies(
  'helpdesk-integrations.no-loops',
  'a requester that makes a new ticket of each answer gets ten in a day',
  async () => {
    const tickets: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const ticket = freshdesk.write(QUESTION, { from: '5001' })
      tickets.push(ticket)
      await tell(ticket)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    expect(tickets.map((ticket) => freshdesk.answersOf(ticket).length)).toEqual([
      ...Array.from({ length: 10 }, () => 1),
      0,
      0,
    ])
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.outages'],
  'a ticket that is deleted while it is answered, a key that is refused and an account that is suspended are said on the record with what to do',
  async () => {
    const gone = freshdesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      freshdesk.delete(gone)
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(gone)
    await world.settled(id)
    expect(await world.problemOf(id)).toContain('is gone: it was deleted or merged meanwhile')
    expect(await world.ticket(id, gone)).toMatchObject({ status: 'open', answers_given: 0 })

    await change({ credentials: { ...freshdesk.credentials, api_key: 'reset' } })
    const waiting = freshdesk.write(QUESTION)
    await tell(waiting)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused the API key')
    await change({ credentials: freshdesk.credentials })
    freshdesk.agent.isSuspended = true
    await hasten(waiting)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('suspended this account')
    freshdesk.agent.isSuspended = false
    await hasten(waiting)
    await world.becomes(id, waiting, 'answered')
    expect(freshdesk.answersOf(waiting)).toHaveLength(1)
    expect(await world.problemOf(id)).toBeNull()

    freshdesk.agent.mayAnswer = false
    const forbidden = freshdesk.write(QUESTION)
    await tell(forbidden)
    await world.settled(id)
    freshdesk.agent.mayAnswer = true
    expect(await world.problemOf(id)).toContain('check its role')
    expect(await world.ticket(id, forbidden)).toMatchObject({ status: 'open', answers_given: 0 })
  },
  60_000,
)

verifies(
  'helpdesk-integrations.own-words',
  'a second message while the answer is written is answered with the first, once; one that comes after the answer is not closed with it',
  async () => {
    const ticket = freshdesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      freshdesk.write('Also: how long do old signing keys stay valid?', { ticket })
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(ticket)
    await world.becomes(id, ticket, 'answered')
    expect(freshdesk.answersOf(ticket)).toHaveLength(1)
    expect(JSON.stringify(world.llm.requests.at(-1)?.body)).toContain('old signing keys')

    const quick = freshdesk.write(QUESTION)
    freshdesk.onRequest = ({ method, path }) => {
      if (method !== 'GET' || freshdesk.answersOf(quick).length === 0 || !path.endsWith('/conversations'))
        return
      freshdesk.onRequest = undefined
      freshdesk.write('One more thing.', { ticket: quick })
    }
    await tell(quick)
    await world.becomes(id, quick, 'answered')
    expect(freshdesk.ticket(quick)).toMatchObject({ status: 2, tags: ['vip', 'citewell-answered'] })
  },
)

verifies(
  'helpdesk-integrations.posted',
  'an answer counts when it is posted: it waits where Freshdesk asks to, is found if it was not confirmed, and leaves the ticket open if it is not taken',
  async () => {
    await answersCountWhenTaken({
      world,
      integrationId: id,
      standIn: freshdesk,
      tell,
      misbehaveOnce,
      asksToWait: { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Rate limit exceeded' } },
      refuses: { status: 400, body: { description: 'Validation failed', errors: [] } },
    })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'helpdesk-integrations.modes',
  'a draft is a private note, once; who observes posts nothing; neither tells webhooks anything',
  async () => {
    await change({ config: { mode: 'draft' } })
    const drafted = freshdesk.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    freshdesk.write('And then?', { ticket: drafted })
    await tell(drafted)
    await world.settled(id)
    await change({ config: { mode: 'observe' } })
    const seen = freshdesk.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await change({ config: { mode: 'answer' } })
    expect(freshdesk.notesOf(drafted)).toEqual([expect.stringContaining(ROTATION)])
    expect(freshdesk.ticket(drafted)).toMatchObject({ status: 2, tags: ['vip', 'citewell-drafted'] })
    expect([freshdesk.answersOf(drafted), freshdesk.answersOf(seen)]).toEqual([[], []])
    expect(freshdesk.ticket(seen).tags).toEqual(['vip'])
    for (const ticket of [drafted, seen]) expect(await world.toldOf(id, ticket)).toEqual([])
  },
)

verifies(
  'helpdesk-integrations.freshdesk',
  'what no delivery tells of is read: not what was there before, each change once, however many there are, and only in the groups of the owner',
  async () => {
    const before = freshdesk.write(QUESTION, { group: 43 })
    const { api_key } = freshdesk.credentials
    const polled = await connect({ groups: '43, 44' }, { api_key })
    await expect(world.look(polled)).rejects.toThrow('Freshdesk has no group 44.')
    await world.settled(polled)
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${polled}`, {
      config: { groups: '43' },
    })
    await world.look(polled)

    const others = freshdesk.write(QUESTION)
    const closed = freshdesk.write(QUESTION, { group: 43 })
    freshdesk.ticket(closed).status = 4
    const missed = freshdesk.write(QUESTION, { group: 43 })
    await world.look(polled)
    await world.becomes(polled, missed, 'answered')
    for (const ticket of [before, others, closed]) {
      expect(await world.ticket(polled, ticket)).toBeUndefined()
      expect(freshdesk.answersOf(ticket)).toEqual([])
    }
    // Without a secret, nothing that is delivered is taken.
    expect((await deliver(JSON.stringify({ ticket_id: missed }), '', polled)).status).toBe(401)

    // More than a page, all at one time, as a bulk action makes them.
    const many = Array.from({ length: 110 }, () => freshdesk.write('...', { group: 43 }))
    const at = freshdesk.ticket(many.at(-1) ?? '').updated_at
    for (const ticket of many) freshdesk.ticket(ticket).updated_at = at
    await change({ enabled: false })
    // They wait for longer than this test takes: that what is found so is read, is seen above.
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${polled}`, {
      config: { quiet_seconds: 600 },
    })
    await world.look(polled)
    const waiting = await world.waiting(polled)
    expect(new Set(waiting.keys())).toEqual(new Set([missed, ...many]))
    await world.look(polled)
    expect(await world.waiting(polled)).toEqual(waiting)
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${polled}`, { enabled: false })
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.freshdesk', 'helpdesk-integrations.check'],
  'a check says what is missing here and there; a secret that can be guessed opens nothing',
  async () => {
    // A new one: to its first reading all of the above is known.
    id = await connect({ hand_over_to: '42' })
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'bot@acme.example in Freshdesk',
      problems: [],
      hook_url: expect.stringContaining(`/api/v1/hooks/${id}`),
    })
    freshdesk.agent.scope = 3
    const weak = await connect({ hand_over_to: 'People' }, { ...freshdesk.credentials, hook_secret: 'short' })
    expect(await check(weak)).toMatchObject({
      is_working: false,
      account: 'bot@acme.example in Freshdesk',
      problems: [
        expect.stringContaining('hook_secret is shorter than 20'),
        expect.stringContaining('only tickets that are assigned to it'),
        expect.stringContaining('hand_over_to is no id of a group: People'),
      ],
    })
    freshdesk.agent.scope = 1
    expect((await deliver('{"ticket_id": 7}', 'short', weak)).status).toBe(401)
    const bare = await connect({ api_url: 'acme.freshdesk.com' }, {})
    expect(await check(bare)).toMatchObject({
      is_working: false,
      account: null,
      problems: [
        expect.stringContaining('api_url is missing'),
        expect.stringContaining('api_key is missing'),
      ],
    })
    const wrong = await connect({}, { ...freshdesk.credentials, api_key: 'wrong' })
    expect(await check(wrong)).toMatchObject({
      account: null,
      problems: [expect.stringContaining('refused the API key')],
    })
  },
)
