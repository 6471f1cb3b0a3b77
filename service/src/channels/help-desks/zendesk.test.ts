import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import { signAsZendesk } from '../../../test/platforms/platform-proofs.ts'
import { startZendeskStandIn, type ZendeskStandIn } from '../../../test/platforms/zendesk-tickets-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: DeskWorld
let zendesk: ZendeskStandIn
let id: string

beforeAll(async () => {
  world = await openDeskWorld()
  zendesk = await startZendeskStandIn()
  id = await world.connect({
    platform: 'zendesk',
    config: { api_url: zendesk.apiUrl, status_after_answer: 'pending', hand_over_to: '42' },
    credentials: zendesk.credentials,
  })
})
beforeEach(() => {
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await zendesk[Symbol.asyncDispose]()
})

let invocations = 0

/** Zendesk tells that something happened to a ticket. */
async function tell(ticket: string, given: { invocation?: string } = {}): Promise<void> {
  invocations += 1
  const body = JSON.stringify({ ticket_id: ticket, comment: 'What a delivery says of a ticket is not used.' })
  const response = await world.citewell.fetch(`/api/v1/hooks/${id}`, {
    method: 'POST',
    headers: {
      ...signAsZendesk(body, zendesk.credentials.signing_secret, new Date()),
      'x-zendesk-webhook-invocation-id': given.invocation ?? `invocation-${invocations}`,
    },
    body,
  })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
}

verifies(
  ['helpdesk-integrations.zendesk', 'connectors.escalation-on-tickets'],
  'a ticket is answered once, whatever is delivered again; when its customer writes again, it goes to the group of people',
  async () => {
    const ticket = zendesk.write(QUESTION)
    await tell(ticket, { invocation: 'twice' })
    await tell(ticket, { invocation: 'twice' })
    await world.becomes(id, ticket, 'answered')
    await tell(ticket)
    await world.settled(id)
    expect(zendesk.answersOf(ticket)).toEqual([expect.stringContaining(`${ROTATION} [1]`)])
    expect(zendesk.ticket(ticket)).toMatchObject({ status: 'pending', tags: ['vip', 'citewell-answered'] })
    zendesk.write('That does not help.', { ticket })
    await tell(ticket)
    await world.becomes(id, ticket, 'escalated')
    expect(zendesk.ticket(ticket)).toMatchObject({
      group_id: 42,
      tags: ['vip', 'citewell-answered', 'citewell-escalated'],
    })
    expect(zendesk.answersOf(ticket)).toHaveLength(1)
    expect((await world.eventsOf(id)).filter((event) => event.ticket === ticket)).toEqual([
      { event: 'ticket.deflected', ticket },
      { event: 'ticket.escalated', ticket, reason: 'customer_replied' },
    ])
  },
)

verifies(
  'helpdesk-integrations.no-loops',
  'a customer whose program makes a new ticket of each answer gets ten answers in a day',
  async () => {
    const tickets: string[] = []
    for (let at = 0; at < 12; at += 1) {
      const ticket = zendesk.write(QUESTION, { requester: 77 })
      tickets.push(ticket)
      await tell(ticket)
      // The first nine side by side: the limit is not theirs yet.
      if (at >= 8) await world.settled(id)
    }
    expect(tickets.filter((ticket) => zendesk.answersOf(ticket).length === 1)).toEqual(tickets.slice(0, 10))
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'helpdesk-integrations.zendesk',
  'an uncovered ticket is marked, those of chats and those of people are left alone, one that is gone does no harm',
  async () => {
    const uncovered = zendesk.write(OFF_TOPIC)
    const chat = zendesk.write(QUESTION, { channel: 'native_messaging' })
    const taken = zendesk.write(QUESTION)
    zendesk.agentWrites(taken, 'I am on it.')
    const gone = zendesk.write(QUESTION)
    zendesk.delete(gone)
    for (const ticket of [uncovered, chat, taken, gone]) await tell(ticket)
    await world.becomes(id, uncovered, 'unanswered')
    await world.becomes(id, taken, 'with_people')
    await world.settled(id)
    expect(zendesk.ticket(uncovered).tags).toEqual(['vip', 'citewell-unanswered'])
    for (const ticket of [uncovered, chat, taken]) expect(zendesk.answersOf(ticket)).toEqual([])
    expect(await world.ticket(id, gone)).toMatchObject({ status: 'open' })
  },
)

verifies(
  ['helpdesk-integrations.posted', 'helpdesk-integrations.outages'],
  'a ticket that is deleted while it is answered, and a token that is refused, are said on the record with what to do; what is asked then is answered when the token is right',
  async () => {
    const gone = zendesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      zendesk.delete(gone)
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(gone)
    await world.settled(id)
    expect(await world.problemOf(id)).toContain('is gone: it was deleted or merged meanwhile')
    expect(await world.ticket(id, gone)).toMatchObject({ status: 'open', answers_given: 0 })
    expect((await world.eventsOf(id)).filter(({ ticket }) => ticket === gone)).toEqual([])

    const credentials = (fields: object) =>
      world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, {
        credentials: { ...zendesk.credentials, ...fields },
      })
    await credentials({ api_token: 'withdrawn' })
    const waiting = zendesk.write(QUESTION)
    await tell(waiting)
    await expect.poll(() => world.problemOf(id), { timeout: 10_000 }).toContain('refused the API token')
    expect(zendesk.answersOf(waiting)).toEqual([])
    await credentials({})
    await world.hasten(waiting)
    await tell(waiting)
    await world.becomes(id, waiting, 'answered')
    expect(zendesk.answersOf(waiting)).toHaveLength(1)
    expect(await world.problemOf(id)).toBeNull()
  },
)

verifies(
  'helpdesk-integrations.own-words',
  'a second message while the answer is written makes it a conflict: both are answered together, once',
  async () => {
    const ticket = zendesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      zendesk.write('Also: how long do old signing keys stay valid?', { ticket })
      await fakeLlm.says(`${ROTATION} [1]`)(exchange)
    }, answersFromPage())
    await tell(ticket)
    await world.becomes(id, ticket, 'answered')
    expect(zendesk.answersOf(ticket)).toHaveLength(1)
    const [last] = world.llm.requests.slice(-1)
    expect(JSON.stringify(last?.body)).toContain('old signing keys')
  },
)

verifies(
  'helpdesk-integrations.posted',
  'an answer counts when it is posted: one that arrived without a confirmation is found and not posted again, one that fails for good leaves the ticket open',
  async () => {
    const limited = zendesk.write(QUESTION)
    zendesk.misbehave({ status: 429, retryAfter: '1' })
    await tell(limited)
    await world.becomes(id, limited, 'answered')
    expect(zendesk.answersOf(limited)).toHaveLength(1)

    const failed = zendesk.write(QUESTION)
    zendesk.misbehave({ status: 422 })
    await tell(failed)
    await world.settled(id)
    expect(await world.ticket(id, failed)).toEqual({ status: 'open', reason: null, answers_given: 0 })
    expect(await world.problemOf(id)).toContain('status 422')

    const lost = zendesk.write(QUESTION)
    zendesk.misbehave('loses-answer')
    await tell(lost)
    await world.becomes(id, lost, 'answered')
    const never = zendesk.write(QUESTION)
    zendesk.misbehave('hangs-up')
    await tell(never)
    await world.becomes(id, never, 'unanswered')
    expect([zendesk.answersOf(lost).length, zendesk.answersOf(never).length]).toEqual([1, 0])
    const told = (await world.eventsOf(id)).filter(({ ticket }) =>
      [limited, failed, lost, never].includes(ticket),
    )
    expect(told).toEqual([
      { event: 'ticket.deflected', ticket: limited },
      { event: 'ticket.deflected', ticket: lost },
    ])
  },
  60_000,
)

verifies(
  'helpdesk-integrations.modes',
  'a draft is an internal note, once; who observes posts nothing; neither tells webhooks anything',
  async () => {
    const become = (mode: string) =>
      world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, { config: { mode } })
    await become('draft')
    const drafted = zendesk.write(QUESTION)
    await tell(drafted)
    await world.becomes(id, drafted, 'drafted')
    zendesk.write('And then?', { ticket: drafted })
    await tell(drafted)
    await become('observe')
    const seen = zendesk.write(QUESTION)
    await tell(seen)
    expect(await world.becomes(id, seen, 'observed')).toMatchObject({ reason: 'deflected' })
    await world.settled(id)
    const notes = zendesk.ticket(drafted).comments.filter((comment) => !comment.public)
    expect(notes).toMatchObject([{ plain_body: expect.stringContaining(ROTATION) }])
    expect([zendesk.answersOf(drafted), zendesk.answersOf(seen)]).toEqual([[], []])
    expect(zendesk.ticket(seen).tags).toEqual(['vip'])
    const told = await world.eventsOf(id)
    expect(told.filter(({ ticket }) => ticket === drafted || ticket === seen)).toEqual([])
    await become('answer')
  },
)

verifies(
  'helpdesk-integrations.modes',
  'a reading that failed is on the record until the ticket is read, also where nothing is posted',
  async () => {
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, { config: { mode: 'observe' } })
    const ticket = zendesk.write(QUESTION)
    zendesk.failNextRead()
    await tell(ticket)
    await expect.poll(async () => await world.problemOf(id), { timeout: 10_000 }).toContain('status 500')
    // Instead of waiting for the next attempt.
    await world.citewell.rows(
      `update helpdesk_tickets set due_at = date_trunc('milliseconds', now()) where ticket_id = '${ticket}'`,
    )
    await tell(ticket)
    await world.becomes(id, ticket, 'observed')
    expect(await world.problemOf(id)).toBeNull()
    await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, { config: { mode: 'answer' } })
  },
)

verifies(
  'helpdesk-integrations.posted',
  'under zero data retention, too, an answer that was written while the help desk was switched off is not posted, and its ticket is open again',
  async () => {
    await world.citewell.rows('update workspaces set zero_data_retention = true')
    const ticket = zendesk.write(QUESTION)
    world.llm.script(async (exchange) => {
      await world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, { enabled: false })
      await answersFromPage()(exchange)
    })
    await tell(ticket)
    await world.settled(id)
    await expect.poll(async () => (await world.ticket(id, ticket))?.status, { timeout: 10_000 }).toBe('open')
    expect(zendesk.answersOf(ticket)).toEqual([])
    expect(world.llm.requests.length).toBeGreaterThan(0)
  },
)
