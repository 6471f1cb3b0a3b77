import { LIMITS } from '@citewell/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startFakeReceiver,
  type FakeReceiver,
  type ReceiverAnswer,
} from '../../../../test/fake-webhook-receiver.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import {
  startFreshdeskStandIn,
  type FreshdeskStandIn,
} from '../../../../test/platforms/freshdesk-stand-in.ts'
import { startFrontStandIn, US, type FrontStandIn } from '../../../../test/platforms/front-stand-in.ts'
import { openIntercom } from '../../../../test/platforms/desks-alone.ts'
import { startZammadStandIn, type ZammadStandIn } from '../../../../test/platforms/zammad-stand-in.ts'
import type { DeskAccount } from '../help-desk.ts'
import { createAnswersLately } from './answers-lately.ts'
import { changedInFreshdesk } from './freshdesk/freshdesk-changes.ts'
import { openFreshdeskTicket, postToFreshdesk } from './freshdesk/freshdesk-posts.ts'
import { readFreshdeskTicket } from './freshdesk/freshdesk-ticket.ts'
import { changedInFront } from './front/front-changes.ts'
import { readFrontConversation } from './front/front-conversation.ts'
import { postToFront } from './front/front-posts.ts'
import { postToRt } from './request-tracker/rt-posts.ts'
import { readRtTicket } from './request-tracker/rt-ticket.ts'
import { openZammadTicket, postToZammad } from './zammad/zammad-posts.ts'
import { readZammadTicket } from './zammad/zammad-ticket.ts'
import { postToZendesk } from './zendesk/zendesk-posts.ts'
import { readZendeskTicket } from './zendesk/zendesk-ticket.ts'

/** What no help desk does that is set up well, and what cannot be asked of a real one. */
let desk: FakeReceiver
let freshdesk: FreshdeskStandIn
let front: FrontStandIn
let zammad: ZammadStandIn
const outbound = createOutbound({ allowPrivateNetwork: true })
const gives =
  (...inTurn: { status?: number; headers?: Record<string, string>; body: unknown }[]): ReceiverAnswer =>
  (response, { method }) => {
    const { status = 200, headers = {}, body } = inTurn[method === 'GET' ? 0 : 1] ?? { body: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

const MANY = Array.from({ length: 61 }, (_, at) => at + 1)
const history = (ticket: number) =>
  `/REST/2.0/ticket/${ticket}/history?fields=Type,Creator&per_page=100&orderby=id&order=ASC`
const parts = (id: number) =>
  `/REST/2.0/transaction/${id}/attachments?fields=ContentType,Content,Headers,Filename&per_page=50`
const rtTicket = (id: number) => `/REST/2.0/ticket/${id}?fields[Queue]=Name`
const inQueue = (Name: string) => ({ id: 7, Requestor: [{ id: 'ada@example.com' }], Queue: { id: 1, Name } })
const zendesk = (given: object) => ({
  ticket: { id: 7, status: 'open', updated_at: '2', requester_id: 3, tags: ['vip'], ...given },
})

beforeAll(async () => {
  freshdesk = await startFreshdeskStandIn()
  front = await startFrontStandIn()
  zammad = await startZammadStandIn()
  desk = await startFakeReceiver({
    // Its proxy lets nobody change a ticket.
    '/REST/2.0/ticket/1': gives({ body: {} }, { status: 405, body: {} }),
    // It says yes to a move, and does nothing.
    '/REST/2.0/ticket/2': gives({ body: {} }, { body: ['You may not create requests in that queue.'] }),
    [rtTicket(2)]: gives({ body: inQueue('General') }),
    '/REST/2.0/ticket/3': gives({ body: {} }, { body: ['Queue changed from General to People'] }),
    [rtTicket(3)]: gives({ status: 403, body: {} }),
    // Its proxy takes the ETag away.
    [rtTicket(4)]: gives({ body: inQueue('General') }),
    [rtTicket(5)]: gives({ headers: { etag: '"61"' }, body: inQueue('General') }),
    [history(4)]: gives({ body: { items: [] } }),
    [history(5)]: gives({
      body: { items: MANY.map((id) => ({ id, Type: 'Correspond', Creator: { id: 'ada@example.com' } })) },
    }),
    ...Object.fromEntries(
      MANY.map((id) => [
        parts(id),
        gives({ body: { items: [{ ContentType: 'text/plain', Content: 'x'.repeat(30_000) }] } }),
      ]),
    ),
    '/api/v2/tickets/7.json': gives({ body: zendesk({}) }, { body: zendesk({}) }),
    '/api/v2/tickets/9.json': gives({ body: zendesk({ id: 9 }) }),
    '/api/v2/tickets/9/comments.json?include=users&sort_order=asc&page%5Bsize%5D=100': gives({
      body: {
        comments: [{ id: 1, public: true, author_id: 3, plain_body: 'How?' }],
        meta: { has_more: true },
      },
    }),
    '/api/v2/users/me.json': gives({ body: { user: { id: 2, role: 'agent' } } }),
    '/api/v2/tickets/8.json': gives({ body: zendesk({ id: 8 }) }, { status: 409, body: {} }),
  })
})
afterAll(async () => {
  await desk[Symbol.asyncDispose]()
  await freshdesk[Symbol.asyncDispose]()
  await front[Symbol.asyncDispose]()
  await zammad[Symbol.asyncDispose]()
  await outbound.close()
})

const account = (signal = new AbortController().signal): DeskAccount => ({
  credentials: { token: 't', email: 'bot@example.com', api_token: 't' },
  config: { api_url: desk.origin, username: 'citewell' },
  fetchOutbound: outbound.fetchOutbound,
  signal,
})
const requestsTo = (part: string) => desk.received.filter(({ path }) => path.startsWith(part))
const bodyOf = (at: number) =>
  JSON.parse(requestsTo('/api/v2/tickets/7').at(at)?.body.toString('utf8') ?? '') as {
    ticket: { updated_stamp: string; comment: { body: string } }
  }
const reply = { do: 'reply', text: 'Rotate it.' } as const
const handOver = { do: 'hand_over', to: 'People', text: 'The customer wrote again.' } as const

test('without a yes of Request Tracker that nothing happened to a ticket, nothing is posted on it', async () => {
  expect(await postToRt('1', reply, '"5"', account())).toMatchObject({
    is: 'failed',
    because: expect.stringContaining('status 405'),
  })
  expect(requestsTo('/REST/2.0/ticket/1').map(({ method }) => method)).toEqual(['PUT'])
  await expect(readRtTicket('4', account())).rejects.toThrow('sends no ETag')
  const [asked] = requestsTo(rtTicket(4))
  expect(asked?.headers['accept-encoding']).toBe('identity')
})

test('a ticket that Request Tracker did not move is not taken for moved; one that can no longer be seen is', async () => {
  expect(await postToRt('2', handOver, '"5"', account())).toMatchObject({
    is: 'failed',
    because: expect.stringContaining('CreateTicket'),
  })
  expect(await postToRt('3', handOver, '"5"', account())).toMatchObject({ is: 'posted' })
})

test('of large mails only so much is read as a question may have; more messages than are read are left to people', async () => {
  const read = await readRtTicket('5', account())
  expect(read?.isOurs).toBe(false)
  expect(new Set(read?.messages.map(({ text }) => text.length))).toEqual(new Set([LIMITS.ticketText]))
})

const lately = createAnswersLately(() => Date.now())
const postInZendesk = postToZendesk(lately)

test('a ticket of Zendesk with more comments than are read is left to people', async () => {
  expect(await readZendeskTicket('9', account(), lately)).toMatchObject({ isOpen: true, isOurs: false })
})

test('what is written on a ticket of Zendesk has no placeholder that Zendesk would fill in', async () => {
  const text = 'Write {{ticket.comments}}, {% if x %}, {{{raw}}} or {"a": {"b": 1}}.'
  expect(await postInZendesk('7', { do: 'reply', text }, '2', account())).toMatchObject({ is: 'posted' })
  expect(bodyOf(-1).ticket.comment.body).toBe(
    'Write { {ticket.comments}}, { % if x %}, { { {raw}}} or {"a": {"b": 1}}.',
  )
})

test('an answer is stale if something happened to its ticket; a person gets the ticket all the same', async () => {
  expect(await postInZendesk('7', reply, '1', account())).toEqual({ is: 'stale' })
  expect(await postInZendesk('7', handOver, '1', account())).toMatchObject({ is: 'posted' })
  expect(bodyOf(-1).ticket.updated_stamp).toBe('2')
  expect(await postInZendesk('8', reply, '2', account())).toEqual({ is: 'stale' })
  expect(await postInZendesk('8', handOver, '1', account())).toEqual({ is: 'again' })
})

test('an answer that was not sent when the service ended is posted by the next one', async () => {
  const ended = account(AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await postInZendesk('7', reply, '2', ended)).toEqual({ is: 'again' })
})

const atFreshdesk = (signal?: AbortSignal): DeskAccount => ({
  ...account(signal),
  credentials: freshdesk.credentials,
  config: { api_url: freshdesk.origin, hand_over_to: '42', status_after_answer: 'resolved' },
})

test('what is posted to Freshdesk shows exactly what was written: no markup, no placeholder, no mention', async () => {
  const id = freshdesk.write('How?')
  const read = await readFreshdeskTicket(id, atFreshdesk(), new Date())
  const text = 'Write <script>{{ticket.comments}}</script>, {% if x %}\n    code @ada & "more"'
  expect(await postToFreshdesk(id, { do: 'reply', text }, read?.etag ?? '', atFreshdesk())).toEqual({
    is: 'posted',
    ref: id,
  })
  expect(freshdesk.ticket(id).said.map(({ body }) => body)).toEqual([
    '<p>Write &lt;script&gt;{ {ticket.comments}}&lt;/script&gt;, { % if x %}<br>&nbsp;&nbsp;&nbsp;&nbsp;code @ada &amp; &quot;more&quot;</p>',
  ])
  expect(freshdesk.ticket(id)).toMatchObject({ status: 4, tags: ['vip', 'citewell-answered'] })
})

test('an answer is stale if something was written at Freshdesk or its ticket was closed; what is there already is not posted again', async () => {
  const id = freshdesk.write('How?')
  const { etag = '' } = (await readFreshdeskTicket(id, atFreshdesk(), new Date())) ?? {}
  freshdesk.ticket(id).status = 5
  expect(await postToFreshdesk(id, reply, etag, atFreshdesk())).toEqual({ is: 'stale' })
  freshdesk.ticket(id).status = 2
  const ended = atFreshdesk(AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await postToFreshdesk(id, reply, etag, ended)).toEqual({ is: 'again' })
  freshdesk.losesAnswer = true
  expect(await postToFreshdesk(id, reply, etag, atFreshdesk())).toMatchObject({ is: 'unknown' })
  expect(await postToFreshdesk(id, reply, etag, atFreshdesk())).toEqual({ is: 'stale' })
  expect(freshdesk.answersOf(id)).toHaveLength(1)
})

test('a ticket of Freshdesk with more conversations than are read, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = freshdesk.write('How?')
  for (let at = 0; at < 100; at += 1) freshdesk.write('And?', { ticket: long })
  expect(await readFreshdeskTicket(long, atFreshdesk(), new Date())).toMatchObject({ isOurs: false })
  const large = freshdesk.write('x'.repeat(5_000_000))
  await expect(readFreshdeskTicket(large, atFreshdesk(), new Date())).rejects.toMatchObject({
    isTooLarge: true,
  })
  const strange = freshdesk.write('How?')
  freshdesk.misbehave({ body: { id: 1, status: 'open' } })
  await expect(readFreshdeskTicket(strange, atFreshdesk(), new Date())).rejects.toThrow(
    'not answer as expected',
  )
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  freshdesk.misbehave({ body: `{"id": 1, "status": 2, "custom_fields": ${deep}}` })
  await expect(readFreshdeskTicket(strange, atFreshdesk(), new Date())).resolves.toMatchObject({
    isOurs: false,
  })
})

test('what Freshdesk refuses is told with what to do: its key, its plan, its account, or to wait', async () => {
  const id = freshdesk.write('How?')
  const told = async (status: number, code: string) => {
    freshdesk.misbehave({ status, body: { code, message: 'no' } })
    return await readFreshdeskTicket(id, atFreshdesk(), new Date()).catch((failure: Error) => failure.message)
  }
  expect(await told(401, 'invalid_credentials')).toContain('Profile settings')
  expect(await told(403, 'access_denied')).toContain('check its role')
  expect(await told(403, 'require_feature')).toContain('plan of this Freshdesk')
  expect(await told(403, 'account_suspended')).toContain('suspended this account')
  expect(await told(403, 'constructor')).toContain('check its role')
  expect(await told(429, '')).toContain('asks to wait')
})

test('a list of Freshdesk that never ends is read for a while, and where it ended is remembered', async () => {
  const now = new Date()
  const { cursor } = await changedInFreshdesk(undefined, atFreshdesk(), now)
  const page = Array.from({ length: 100 }, (_, at) => ({
    id: 70_000 + at,
    updated_at: now.toISOString(),
    status: 2,
  }))
  freshdesk.forget()
  freshdesk.misbehave(...Array.from({ length: 40 }, () => ({ body: page })))
  const read = await changedInFreshdesk(cursor, atFreshdesk(), now)
  expect(freshdesk.requests).toHaveLength(20)
  expect(JSON.parse(read.cursor)).toMatchObject({ at: now.toISOString() })
  // Of no source that is answered.
  expect(read.ticketIds).toEqual([])
  freshdesk.behave()
})

test('a ticket for the team is opened at Freshdesk in the group of people, and is no question of a customer', async () => {
  const made = await openFreshdeskTicket({ subject: 'Somebody asks', text: 'For a person.' }, atFreshdesk())
  expect(made).toMatchObject({ is: 'posted' })
  const [opened] = freshdesk.opened()
  expect(opened).toMatchObject({ subject: 'Somebody asks', group_id: 42, tags: ['citewell-escalated'] })
  const read = await readFreshdeskTicket(String(opened?.id), atFreshdesk(), new Date())
  expect(read?.messages).toMatchObject([{ by: 'us' }])
})

const atFront = (signal?: AbortSignal): DeskAccount => ({
  ...account(signal),
  credentials: front.credentials,
  config: { api_url: front.origin, teammate: US, hand_over_to: 'inb_people' },
})
const readFront = (id: string) => readFrontConversation(id, atFront(), lately)

test('what is posted to Front shows exactly what was written, keeps the conversation open, and calls nobody', async () => {
  const id = front.write('How?')
  const text = 'Write <b>{{user.email}}</b> & tell @ada'
  const { etag = '' } = (await readFront(id)) ?? {}
  expect(await postToFront(lately)(id, { do: 'reply', text }, etag, atFront())).toMatchObject({
    is: 'posted',
  })
  expect(front.chat(id).messages.at(-1)?.body).toBe(
    '<p>Write &lt;b&gt;{ {user.email}}&lt;/b&gt; &amp; tell @ada</p>',
  )
  expect(front.chat(id)).toMatchObject({ status: 'unassigned', channel: undefined, tags: [] })
})

test('an answer is stale if something was written in Front or it was archived; what is there already is not posted again', async () => {
  const post = postToFront(lately)
  const id = front.write('How?')
  const { etag = '' } = (await readFront(id)) ?? {}
  front.chat(id).status = 'archived'
  expect(await post(id, reply, etag, atFront())).toEqual({ is: 'stale' })
  front.chat(id).status = 'unassigned'
  const ended = atFront(AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await post(id, reply, etag, ended)).toEqual({ is: 'again' })
  front.losesAnswer = true
  expect(await post(id, reply, etag, atFront())).toMatchObject({ is: 'unknown' })
  expect(await post(id, reply, etag, atFront())).toEqual({ is: 'stale' })
  expect(front.answersOf(id)).toHaveLength(1)
  front.delete(id)
  expect(await post(id, reply, etag, atFront())).toMatchObject({ is: 'failed' })
})

test('a conversation of Front with more messages than are read, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = front.write('How?')
  for (let at = 0; at < 100; at += 1) front.write('And?', { chat: long })
  expect(await readFront(long)).toMatchObject({ isOurs: false })
  const large = front.write('x'.repeat(5_000_000))
  await expect(readFront(large)).rejects.toMatchObject({ isTooLarge: true })
  const strange = front.write('How?')
  front.misbehave({ body: { id: strange, status: 7 } })
  await expect(readFront(strange)).rejects.toThrow('not answer as expected')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  front.misbehave({ body: `{"id": "${strange}", "status": "archived", "custom_fields": ${deep}}` })
  await expect(readFront(strange)).resolves.toMatchObject({ isOpen: false })
  expect(await readFront('../me')).toBeUndefined()
})

test('events of Front that never end are read for a while, and never from the host that a page names', async () => {
  const { cursor } = await changedInFront(undefined, atFront(), new Date())
  const next = 'https://elsewhere.example/events?page_token=more'
  const at = Date.now() / 1_000
  front.forget()
  front.misbehave(
    ...Array.from({ length: 40 }, (_, page) => ({
      body: {
        _pagination: { next },
        _results: [{ id: `evt_${page}`, emitted_at: at + page, conversation: { id: `cnv_${page}` } }],
      },
    })),
  )
  const read = await changedInFront(cursor, atFront(), new Date())
  front.behave()
  expect([front.requests.length, read.ticketIds.length]).toEqual([10, 10])
  expect(front.requests.slice(1).map(({ query }) => query.get('page_token'))).toEqual(
    Array.from({ length: 9 }, () => 'more'),
  )
})

test('while nobody is known to be us, nobody is: not the author of a message of Front or Intercom who has no id either', async () => {
  const id = front.write('How?')
  front.sendsWithoutAuthor(id, 'Sent with a phone.', 90)
  for (const teammate of [undefined, 'ada']) {
    const nobody = { ...atFront(), config: { ...atFront().config, teammate } }
    const read = await readFrontConversation(id, nobody, lately)
    expect(read?.messages.map(({ by }) => by)).toEqual(['customer', 'team'])
  }
  await using intercom = await openIntercom()
  const chat = intercom.standIn.write('How?')
  intercom.standIn.agentWrites(chat, 'Mine.')
  Object.assign(intercom.standIn.chat(chat).parts.at(-1)?.author ?? {}, { id: null })
  // There is nobody behind its token.
  intercom.standIn.misbehave(undefined, { status: 404, body: {} })
  const read = await intercom.desk.ticket(chat, intercom.account())
  expect(read?.messages.map(({ by }) => by)).toEqual(['customer', 'team'])
})

const atZammad = (config: object = {}, signal?: AbortSignal): DeskAccount => ({
  ...account(signal),
  credentials: zammad.credentials,
  config: { api_url: zammad.origin, hand_over_to: 'People', ...config },
})
const readZammad = (id: string) => readZammadTicket(id, atZammad(), lately)

test('an answer is stale if something was written in Zammad or its state changed; what is there already is not posted again', async () => {
  const post = postToZammad(lately)
  const id = zammad.write('How?')
  const { etag = '' } = (await readZammad(id)) ?? {}
  zammad.ticket(id).state = 'closed'
  expect(await post(id, reply, etag, atZammad())).toEqual({ is: 'stale' })
  zammad.ticket(id).state = 'new'
  const ended = atZammad({}, AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await post(id, reply, etag, ended)).toEqual({ is: 'again' })
  zammad.losesAnswer = true
  expect(await post(id, reply, etag, atZammad())).toMatchObject({ is: 'unknown' })
  expect(await post(id, reply, etag, atZammad())).toEqual({ is: 'stale' })
  expect(zammad.answersOf(id)).toEqual(['Rotate it.'])
  expect(await post(id, { ...handOver, to: 'Nobody' }, etag, atZammad())).toMatchObject({ is: 'failed' })
  expect([zammad.ticket(id).group, zammad.notesOf(id)]).toEqual(['Users', []])
})

test('a ticket of Zammad with more articles than are read, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = zammad.write('How?')
  for (let at = 0; at < 100; at += 1) zammad.write('And?', { ticket: long })
  expect(await readZammad(long)).toMatchObject({ isOurs: false })
  const large = zammad.write('x'.repeat(5_000_000))
  await expect(readZammad(large)).rejects.toMatchObject({ isTooLarge: true })
  const strange = zammad.write('How?')
  zammad.misbehave({ body: { id: 1 } })
  await expect(readZammad(strange)).rejects.toThrow('not answer as expected')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  zammad.misbehave({ body: `{"id": 1, "customer_id": 1, "state": "closed", "preferences": ${deep}}` })
  await expect(readZammad(strange)).resolves.toMatchObject({ isOpen: false })
  expect(await readZammad('../users/me')).toBeUndefined()
})

test('a ticket for the team is opened in Zammad in the group of people, and is no question of a customer', async () => {
  const given = { subject: 'Somebody asks', text: 'For a person.' }
  expect(await openZammadTicket(given, atZammad())).toMatchObject({ is: 'posted' })
  const [opened] = zammad.opened()
  expect(opened).toMatchObject({ title: 'Somebody asks', group: 'People' })
  expect((await readZammad(String(opened?.id)))?.messages).toMatchObject([{ by: 'us', isInternal: true }])
  expect(await openZammadTicket(given, atZammad({ hand_over_to: '' }))).toMatchObject({ is: 'failed' })
})

test('a help desk without an address is not asked for anything, and the owner is told what is missing', async () => {
  const account: DeskAccount = {
    credentials: { token: 't' },
    config: {},
    fetchOutbound: () => Promise.reject(new Error('Nothing may be asked.')),
    signal: new AbortController().signal,
  }
  await expect(readRtTicket('7', account)).rejects.toThrow(
    'The address of Request Tracker is not set, or is none that can be used.',
  )
})
