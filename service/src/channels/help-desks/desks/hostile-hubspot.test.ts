import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADA,
  startHubspotStandIn,
  US,
  type HubspotStandIn,
} from '../../../../test/platforms/hubspot-stand-in.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import type { DeskAccount } from '../help-desk.ts'
import { createAnswersLately } from './answers-lately.ts'
import { changedInHubspot } from './hubspot/hubspot-changes.ts'
import { postToHubspot } from './hubspot/hubspot-posts.ts'
import { readHubspotThread } from './hubspot/hubspot-thread.ts'

/** What HubSpot does not do if it is set up well, and what cannot be asked of the real one. */
let hubspot: HubspotStandIn
const outbound = createOutbound({ allowPrivateNetwork: true })
beforeAll(async () => {
  hubspot = await startHubspotStandIn()
})
afterAll(async () => {
  await hubspot[Symbol.asyncDispose]()
  await outbound.close()
})

const reply = { do: 'reply', text: 'Rotate it.' } as const
const handOver = { do: 'hand_over', to: 'People', text: 'The customer wrote again.' } as const
const lately = createAnswersLately(() => Date.now())
const post = postToHubspot(lately)
const atHubspot = (config: object = {}, signal?: AbortSignal): DeskAccount => ({
  credentials: hubspot.credentials,
  config: { api_url: hubspot.origin, sender: US, ...config },
  fetchOutbound: outbound.fetchOutbound,
  signal: signal ?? new AbortController().signal,
})
const read = (id: string) => readHubspotThread(id, atHubspot(), lately)
const etagOf = async (id: string) => (await read(id))?.etag ?? ''

test('what is posted to HubSpot shows exactly what was written, to who wrote last, and needs a user who sends', async () => {
  const id = hubspot.write('How?', { from: 'ada@mail.example' })
  const text = 'Write <b>{{ contact.email }}</b> & tell @ada'
  expect(await post(id, { do: 'reply', text }, await etagOf(id), atHubspot({ sender: '70' }))).toMatchObject({
    is: 'failed',
    because: expect.stringContaining('sender is missing'),
  })
  expect(await post(id, { do: 'reply', text }, await etagOf(id), atHubspot())).toMatchObject({ is: 'posted' })
  expect(hubspot.thread(id).messages.findLast(({ type }) => type === 'MESSAGE')).toMatchObject({
    text,
    richText: '<p>Write &lt;b&gt;{ { contact.email }}&lt;/b&gt; &amp; tell @ada</p>',
    recipients: [
      {
        recipientField: 'TO',
        deliveryIdentifiers: [{ type: 'HS_EMAIL_ADDRESS', value: 'ada@mail.example' }],
      },
    ],
  })
})

test('an answer is stale if something was said in HubSpot, it was closed or given to somebody; what is there already is not posted again', async () => {
  const id = hubspot.write('How?')
  const etag = await etagOf(id)
  hubspot.thread(id).status = 'CLOSED'
  expect(await post(id, reply, etag, atHubspot())).toEqual({ is: 'stale' })
  hubspot.thread(id).status = 'OPEN'
  hubspot.thread(id).assignedTo = ADA
  expect(await post(id, reply, etag, atHubspot())).toEqual({ is: 'stale' })
  hubspot.thread(id).assignedTo = undefined
  hubspot.says(id, 'A bot.', { by: 'B-1' })
  const ended = atHubspot({}, AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await post(id, reply, etag, ended)).toEqual({ is: 'again' })
  hubspot.losesAnswer = true
  expect(await post(id, reply, etag, atHubspot())).toMatchObject({ is: 'unknown' })
  expect(await post(id, reply, etag, atHubspot())).toEqual({ is: 'stale' })
  expect(hubspot.answersOf(id)).toEqual(['Rotate it.'])
  expect((await read(id))?.messages.map(({ by }) => by)).toEqual(['customer', 'us'])
  // A user that is not there: nothing was said yet.
  expect(await post(id, { ...handOver, to: 'A-999' }, etag, atHubspot())).toMatchObject({ is: 'failed' })
  expect(hubspot.commentsOf(id)).toEqual([])
  expect(await post(id, handOver, etag, atHubspot())).toMatchObject({ is: 'posted' })
  expect(hubspot.commentsOf(id)).toEqual(['The customer wrote again.'])
  hubspot.delete(id)
  expect(await post(id, reply, etag, atHubspot())).toMatchObject({ is: 'failed' })
})

test('a thread that is closed after its answer is not closed with what its customer wrote, also while HubSpot does not list the answer yet', async () => {
  const closing = atHubspot({ close_after_answer: 'yes' })
  const answered = hubspot.write('How?')
  expect(await post(answered, reply, await etagOf(answered), closing)).toMatchObject({ is: 'posted' })
  expect(hubspot.thread(answered).status).toBe('CLOSED')

  const id = hubspot.write('How?')
  const etag = await etagOf(id)
  hubspot.onRequest = ({ method, path }) => {
    if (method !== 'GET' || hubspot.answersOf(id).length === 0 || !path.endsWith('/messages')) return
    hubspot.onRequest = undefined
    const { messages } = hubspot.thread(id)
    messages.splice(0, messages.length, ...messages.filter(({ direction }) => direction !== 'OUTGOING'))
    hubspot.write('One more thing.', { thread: id })
  }
  expect(await post(id, reply, etag, closing)).toMatchObject({ is: 'posted' })
  expect(hubspot.onRequest).toBeUndefined()
  expect(hubspot.thread(id).status).toBe('OPEN')
})

test('a thread of HubSpot with more messages than are read, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = hubspot.write('How?')
  for (let at = 0; at < 30; at += 1) hubspot.write('And?', { thread: long })
  // Two pages, as HubSpot notes each change of a status among the messages.
  expect(await read(long)).toMatchObject({ isOurs: true })
  expect((await read(long))?.messages).toHaveLength(31)
  for (let at = 0; at < 40; at += 1) hubspot.write('And?', { thread: long })
  expect(await read(long)).toMatchObject({ isOurs: false })
  const large = hubspot.write('x'.repeat(5_000_000))
  await expect(read(large)).rejects.toMatchObject({ isTooLarge: true })
  const strange = hubspot.write('How?')
  hubspot.misbehave({ body: { id: strange, status: 7 } })
  await expect(read(strange)).rejects.toThrow('not answer as expected')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  hubspot.misbehave({ body: `{"id": "1", "status": "CLOSED", "threadAssociations": ${deep}}` })
  await expect(read(strange)).resolves.toMatchObject({ isOpen: false })
  for (const id of ['../inboxes', '0', '1?archived=true', '']) expect(await read(id)).toBeUndefined()
})

test('a long message of HubSpot is read in full; if its original is gone, its beginning is what there is', async () => {
  const id = hubspot.write('The whole of the question?', { isLong: true })
  expect((await read(id))?.messages).toMatchObject([{ text: 'The whole of the question?' }])
  hubspot.thread(id).originals.clear()
  expect((await read(id))?.messages).toMatchObject([{ text: 'It is a long story.' }])
})

test('a list of HubSpot that never ends is read for a while, and the next reading goes on where it ended', async () => {
  const start = Date.parse('2026-01-01T00:00:00Z')
  const timeAt = (at: number) => new Date(start + at * 1_000).toISOString()
  const page = (at: number) => ({
    body: {
      results: [{ id: String(70_000 + at), status: 'OPEN', latestMessageTimestamp: timeAt(at) }],
      paging: { next: { after: String(at), link: 'https://elsewhere.invalid' } },
    },
  })
  const cursor = JSON.stringify({ since: timeAt(0), seen: {} })
  hubspot.forget()
  hubspot.misbehave(...Array.from({ length: 20 }, (_, at) => page(at + 1)))
  const first = await changedInHubspot(cursor, atHubspot(), new Date())
  const second = await changedInHubspot(first.cursor, atHubspot(), new Date())
  hubspot.behave()
  expect([first.ticketIds.length, second.ticketIds.length]).toEqual([10, 10])
  const asked = hubspot.requests.map(({ query }) => query.get('latestMessageTimestampAfter'))
  expect(asked).toEqual([...Array(10).fill(timeAt(0)), ...Array(10).fill(timeAt(10))])
  expect(JSON.parse(second.cursor)).toMatchObject({ since: timeAt(20) })
  // At the end, what was said shortly before is listed once more, and not told again.
  const last = await changedInHubspot(second.cursor, atHubspot(), new Date())
  expect(Date.parse((JSON.parse(last.cursor) as { since: string }).since)).toBeGreaterThan(
    Date.now() - 125_000,
  )
  expect((await changedInHubspot(last.cursor, atHubspot(), new Date())).ticketIds).toEqual([])
})
