import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { openDeskWorld, type DeskWorld } from '../../../test/platforms/desk-world.ts'
import {
  HAS_REQUEST_TRACKER,
  startRequestTracker,
  type RequestTracker,
} from '../../../test/platforms/request-tracker.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

describe.skipIf(!HAS_REQUEST_TRACKER)('the real Request Tracker', { tags: ['long'] }, () => {
  let world: DeskWorld
  let rt: RequestTracker

  beforeAll(async () => {
    ;[world, rt] = await Promise.all([openDeskWorld(), startRequestTracker()])
  }, 180_000)
  beforeEach(() => {
    world.llm.script(answersFromPage())
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await rt[Symbol.asyncDispose]()
  })

  /** The first reading takes what is there as known. */
  const connect = async () => {
    const id = await world.connect({
      platform: 'request_tracker',
      config: {
        api_url: rt.address,
        username: rt.username,
        queue: 'General',
        hand_over_to: 'People',
        quiet_seconds: 1,
      },
      credentials: rt.credentials,
    })
    await world.look(id)
    return id
  }
  const change = (id: string, fields: object) =>
    world.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${id}`, fields)
  const authorsOf = async (ticket: string) => (await rt.messagesOf(ticket)).map(({ by }) => by)

  verifies(
    [
      'connectors.ticket-deflected',
      'connectors.escalation-on-tickets',
      'helpdesk-integrations.request-tracker',
    ],
    'a mail is answered on its ticket, once; the customer gets the answer by mail, and a person when they write again',
    async () => {
      const id = await connect()
      const ticket = await rt.mail('ada@customer.example', QUESTION, { subject: 'Keys' })
      await world.look(id)
      expect(await world.becomes(id, ticket, 'answered')).toMatchObject({ answers_given: 1 })
      const messages = await rt.messagesOf(ticket, { texts: true })
      expect(messages.map(({ type, by }) => [type, by])).toEqual([
        ['Create', 'ada@customer.example'],
        ['Correspond', 'citewell'],
      ])
      expect(messages[1]?.text).toContain(`${ROTATION} [1]`)
      expect(messages[1]?.text).toContain('[1] Rotating signing keys\n    https://docs.example.com/keys')
      expect(messages[1]?.text).toContain('This answer was written automatically')
      expect(rt.mailsTo('ada@customer.example').filter((mail) => mail.includes(ROTATION))).toHaveLength(1)

      await rt.mail('ada@customer.example', 'That does not help.', { ticket })
      await world.look(id)
      expect(await world.becomes(id, ticket, 'escalated')).toMatchObject({ reason: 'customer_replied' })
      expect(await rt.stateOf(ticket)).toMatchObject({ queue: 'People' })
      expect(await authorsOf(ticket)).toHaveLength(3)
      expect(await world.eventsOf(id)).toEqual([
        { event: 'ticket.deflected', ticket },
        { event: 'ticket.escalated', ticket, reason: 'customer_replied' },
      ])
      expect(await world.problemOf(id)).toBeNull()
      await change(id, { enabled: false })
    },
    120_000,
  )

  verifies(
    [
      'helpdesk-integrations.own-words',
      'helpdesk-integrations.person-ends',
      'helpdesk-integrations.no-loops',
    ],
    'two fast mails get one answer to their own words; what is uncovered, empty, a program’s, with a person, or answered by one at the same moment gets none',
    async () => {
      const id = await connect()
      const from = 'bob@customer.example'
      const twice = await rt.mail(from, 'Hello,')
      await rt.mail(from, `${QUESTION}\n\nOn Monday, Eve wrote:\n> ${OFF_TOPIC}\n-- \nBob`, {
        ticket: twice,
      })
      const uncovered = await rt.mail(from, OFF_TOPIC)
      const empty = await rt.mail(from, '-- \nBob\nAcme Inc.')
      const absent = await rt.mail(from, QUESTION, { headers: 'Auto-Submitted: auto-replied' })
      const withPerson = await rt.mail(from, QUESTION)
      await rt.agentWrites(withPerson, 'I am on it.', { isInternal: true })
      const raced = await rt.mail(from, `${QUESTION} It is for Dora.`)
      world.llm.script(async (exchange) => {
        const isRaced = JSON.stringify(exchange.request.body.messages).includes('Dora')
        if (isRaced) await rt.agentWrites(raced, 'Let me look.')
        await answersFromPage()(exchange)
      })
      await world.look(id)
      await world.becomes(id, twice, 'answered')
      await world.becomes(id, uncovered, 'unanswered')
      await world.becomes(id, empty, 'unanswered')
      await world.becomes(id, absent, 'open')
      await world.becomes(id, withPerson, 'with_people')
      await world.becomes(id, raced, 'with_people')
      expect(await authorsOf(twice)).toEqual([from, from, 'citewell'])
      for (const ticket of [withPerson, raced]) expect(await authorsOf(ticket)).toEqual([from, 'agent'])
      for (const ticket of [uncovered, empty, absent]) expect(await authorsOf(ticket)).toEqual([from])
      const asked = await world.citewell.rows(
        `select m.query from messages m join threads t on t.id = m.thread_id where t.user_ref = '${id}:${twice}'`,
      )
      expect(asked).toEqual([{ query: expect.stringContaining(`Hello,\n\n${QUESTION}`) }])
      expect(JSON.stringify(asked)).not.toContain('chocolate')
      // For good: what the customer writes to the person is not escalated.
      await rt.mail(from, 'Thank you.', { ticket: withPerson })
      await world.look(id)
      await world.settled(id)
      expect(await world.ticket(id, withPerson)).toMatchObject({ status: 'with_people' })
      expect(await world.eventsOf(id)).toEqual([{ event: 'ticket.deflected', ticket: twice }])
      await change(id, { enabled: false })
    },
    120_000,
  )

  verifies(
    'helpdesk-integrations.check',
    'a wrong token, a missing user and a missing queue are told with what to do',
    async () => {
      const id = await world.connect({
        platform: 'request_tracker',
        config: { api_url: rt.address, username: 'nobody-here', queue: 'Nowhere' },
        credentials: rt.credentials,
      })
      const told = world.look(id)
      await expect(told).rejects.toThrow('no user nobody-here')
      await expect(told).rejects.toThrow('no queue Nowhere')
      await change(id, { credentials: { token: '1-1-wrong' } })
      await expect(world.look(id)).rejects.toThrow('refused the token')
    },
    120_000,
  )
})
