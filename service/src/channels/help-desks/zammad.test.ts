import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersCountWhenTakenInTime } from '../../../test/platforms/answers-when-taken.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { signAsHub } from '../../../test/platforms/platform-proofs.ts'
import { startZammadStandIn, type ZammadStandIn } from '../../../test/platforms/zammad-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let zammad: ZammadStandIn
let id: string

const connect = (config: object = {}, credentials: Record<string, string> = zammad.credentials) =>
  world.connect({ platform: 'zammad', config: { api_url: zammad.origin, ...config }, credentials })

beforeAll(async () => {
  world = await openDeskWorld()
  zammad = await startZammadStandIn()
  id = await connect({ groups: 'users, Sales', state_after_answer: 'closed', hand_over_to: 'People' })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
  zammad.onRequest = undefined
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await zammad[Symbol.asyncDispose]()
})

let deliveries = 0

/** A trigger of Zammad tells that something happened to a ticket. */
async function tell(ticket: string, delivery = `delivery-${(deliveries += 1)}`): Promise<void> {
  const body = zammad.delivery(ticket)
  const response = await world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: {
      ...signAsHub(body, zammad.credentials.signature_token),
      ...(delivery !== '' && { 'x-zammad-delivery': delivery }),
    },
    body,
  })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

const change = (fields: object) => world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, fields)
const check = (of: string) => world.citewell.json('POST', `/api/v1/helpdesk-integrations/${of}/check`)

/** What the next article of ours gets instead of an answer. */
function misbehaveOnce(answer: Parameters<ZammadStandIn['misbehave']>[0]): void {
  zammad.onRequest = ({ method }) => {
    if (method !== 'PUT') return
    zammad.onRequest = undefined
    zammad.misbehave(answer)
  }
}

verifies(
  ['helpdesk-integrations.zammad', 'connectors.escalation-on-tickets', 'hooks.once'],
  'a ticket is answered once by mail, whatever is delivered again; when its customer writes again, it goes to the group of people',
  async () => {
    const ticket = zammad.write(QUESTION, { type: 'web' })
    await Promise.all([tell(ticket, 'twice'), tell(ticket, 'twice'), tell(ticket, ''), tell(ticket, '')])
    await world.becomes(id, ticket, 'answered')
    const taken = await world.citewell.rows(`select 1 from platform_events where lane = '${ticket}'`)
    expect(taken).toHaveLength(2)
    await tell(ticket)
    await world.settled(id)
    expect(zammad.answersOf(ticket)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(zammad.ticket(ticket)).toMatchObject({ state: 'closed', tags: ['citewell-answered'] })
    zammad.write('That does not help.', { ticket })
    await tell(ticket)
    await world.becomes(id, ticket, 'escalated')
    expect(zammad.ticket(ticket)).toMatchObject({ group: 'People', state: 'open' })
    expect(zammad.ticket(ticket).tags).toContain('citewell-escalated')
    expect(zammad.answersOf(ticket)).toHaveLength(1)
    expect(zammad.notesOf(ticket)).toEqual([expect.stringContaining('wrote again')])
    expect(await world.toldOf(id, ticket)).toEqual(['ticket.deflected', 'ticket.escalated customer_replied'])
  },
)

verifies(
  ['helpdesk-integrations.zammad', 'helpdesk-integrations.person-ends', 'helpdesk-integrations.no-loops'],
  'an uncovered ticket is tagged; calls, other groups, absences, customers without an address, closed tickets and those of people are left alone; an acknowledgement of Zammad is no person',
  async () => {
    const uncovered = zammad.write(OFF_TOPIC)
    const call = zammad.write(QUESTION, { type: 'phone' })
    const elsewhere = zammad.write(QUESTION, { group: 'Invoices' })
    const absence = zammad.write(QUESTION, { isAutoResponse: true })
    const bounce = zammad.write(QUESTION, { email: 'mailer-daemon@mail.example' })
    const unreachable = zammad.write(QUESTION, { email: null })
    const closed = zammad.write(QUESTION)
    zammad.ticket(closed).state = 'merged'
    const noted = zammad.write(QUESTION)
    zammad.agentWrites(noted, 'Mine.', { internal: true })
    const gone = zammad.write(QUESTION)
    zammad.delete(gone)
    const left = [call, elsewhere, absence, bounce, unreachable, closed, noted]
    for (const ticket of [uncovered, ...left, gone]) await tell(ticket)
    await world.becomes(id, uncovered, 'unanswered')
    await world.becomes(id, noted, 'with_people')
    await world.settled(id)
    expect(zammad.ticket(uncovered).tags).toEqual(['citewell-unanswered'])
    for (const ticket of [uncovered, ...left]) expect(zammad.answersOf(ticket)).toEqual([])
    for (const ticket of left) expect(zammad.ticket(ticket).tags).toEqual([])

    const acknowledged = zammad.write(QUESTION)
    zammad.acknowledges(acknowledged)
    await tell(acknowledged)
    await world.becomes(id, acknowledged, 'answered')
    // Its absence answers our answer: that is no customer who writes again.
    zammad.write('I am on holiday.', { ticket: acknowledged, isAutoResponse: true })
    await tell(acknowledged)
    await world.settled(id)
    expect(await world.toldOf(id, acknowledged)).toEqual(['ticket.deflected'])

    const taken = zammad.write(QUESTION)
    world.llm.script(async (exchange) => {
      zammad.agentWrites(taken, 'I am on it.')
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    })
    await tell(taken)
    await world.becomes(id, taken, 'with_people')
    expect(zammad.answersOf(taken)).toEqual([])
  },
)

verifies(
  'helpdesk-integrations.no-loops',
  'an address that makes a new ticket of each answer gets ten in a day',
  async () => {
    const tickets: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const ticket = zammad.write(QUESTION, { email: 'robot@mail.example' })
      tickets.push(ticket)
      await tell(ticket)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    expect(tickets.filter((ticket) => zammad.answersOf(ticket).length === 1)).toEqual(tickets.slice(0, 10))
  },
  60_000,
)

verifies(
  'helpdesk-integrations.modes',
  'a draft is an internal note, which Zammad does not send, once; who observes posts nothing; neither tells webhooks anything',
  async () => {
    await change({ config: { mode: 'draft' } })
    const drafted = zammad.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    await tell(drafted)
    await world.settled(id)
    await change({ config: { mode: 'observe' } })
    const seen = zammad.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await change({ config: { mode: 'answer' } })
    expect(zammad.notesOf(drafted)).toEqual([expect.stringContaining(ROTATION)])
    expect(zammad.ticket(drafted)).toMatchObject({ state: 'new', tags: ['citewell-drafted'] })
    expect([zammad.answersOf(drafted), zammad.answersOf(seen), zammad.notesOf(seen)]).toEqual([[], [], []])
    for (const ticket of [drafted, seen]) expect(await world.toldOf(id, ticket)).toEqual([])
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.own-words', 'helpdesk-integrations.zammad'],
  'an answer counts when it is posted: not if the customer wrote meanwhile, later where Zammad asks to wait, found if it was not confirmed, never if it is not taken',
  async () => {
    await answersCountWhenTakenInTime({
      world,
      integrationId: id,
      standIn: zammad,
      tell,
      misbehaveOnce,
      asksToWait: { status: 429, headers: { 'retry-after': '1' }, body: '' },
      refuses: { status: 422, body: { error: 'no' } },
      writeMore: (ticket, text) => zammad.write(text, { ticket }),
      remove: (ticket) => zammad.delete(ticket),
    })
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['helpdesk-integrations.zammad', 'helpdesk-integrations.check', 'helpdesk-integrations.outages'],
  'a check says what is missing here and there; a token that is deleted is said on the record',
  async () => {
    expect(await check(id)).toMatchObject({
      is_working: true,
      account: 'bot@acme.example in Zammad',
      problems: [],
    })
    zammad.agent.maySee = false
    expect(await check(id)).toMatchObject({
      account: null,
      problems: [expect.stringContaining('lacks ticket.agent')],
    })
    zammad.agent.maySee = true
    expect(await check(await connect({ api_url: 'support.acme.com' }, {}))).toMatchObject({
      account: null,
      problems: [
        expect.stringContaining('api_url is missing'),
        expect.stringContaining('token is missing'),
        expect.stringContaining('signature_token is missing'),
      ],
    })
    await change({ credentials: { ...zammad.credentials, token: 'deleted' } })
    const waiting = zammad.write(QUESTION)
    await tell(waiting)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused the access token')
    expect(zammad.answersOf(waiting)).toEqual([])
  },
)
