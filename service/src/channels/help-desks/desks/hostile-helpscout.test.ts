import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADA,
  startHelpscoutStandIn,
  TEAM,
  type HelpscoutStandIn,
} from '../../../../test/platforms/helpscout-stand-in.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import type { DeskAccount } from '../help-desk.ts'
import { createAnswersLately } from './answers-lately.ts'
import { createHelpscoutApi } from './helpscout/helpscout-api.ts'
import { changedInHelpscout } from './helpscout/helpscout-changes.ts'
import { readHelpscoutConversation } from './helpscout/helpscout-conversation.ts'
import { postToHelpscout } from './helpscout/helpscout-posts.ts'
import { HelpscoutUser } from './helpscout/helpscout-schemas.ts'

/** What Help Scout does not do if it is set up well, and what cannot be asked of the real one. */
let helpscout: HelpscoutStandIn
const outbound = createOutbound({ allowPrivateNetwork: true })
beforeAll(async () => {
  helpscout = await startHelpscoutStandIn()
})
afterAll(async () => {
  await helpscout[Symbol.asyncDispose]()
  await outbound.close()
})

const reply = { do: 'reply', text: 'Rotate it.' } as const
const handOver = { do: 'hand_over', to: 'People', text: 'The customer wrote again.' } as const
const lately = createAnswersLately(() => Date.now())
const scout = createHelpscoutApi(() => Date.now())
const atHelpscout = (config: object = {}, signal?: AbortSignal): DeskAccount => ({
  credentials: helpscout.credentials,
  config: { api_url: helpscout.origin, hand_over_to: String(TEAM), ...config },
  fetchOutbound: outbound.fetchOutbound,
  signal: signal ?? new AbortController().signal,
})
const readHelpscout = (id: string) => readHelpscoutConversation(scout, id, atHelpscout(), lately)

test('what is posted to Help Scout shows exactly what was written, keeps the status, and gives the conversation to nobody', async () => {
  const id = helpscout.write('How?')
  helpscout.chat(id).status = 'pending'
  const { etag = '' } = (await readHelpscout(id)) ?? {}
  const text = 'Write <b>{%customer.email%}</b> & tell @ada'
  expect(await postToHelpscout(scout, lately)(id, { do: 'reply', text }, etag, atHelpscout())).toMatchObject({
    is: 'posted',
  })
  expect(helpscout.chat(id).all.at(-1)?.body).toBe(
    '<p>Write &lt;b&gt;{ %customer.email%}&lt;/b&gt; &amp; tell @ada</p>',
  )
  expect(helpscout.chat(id)).toMatchObject({ status: 'pending', assignee: undefined })
})

test('an answer is stale if something was written in Help Scout, it was closed or given to somebody; what is there already is not posted again', async () => {
  const post = postToHelpscout(scout, lately)
  const id = helpscout.write('How?')
  const { etag = '' } = (await readHelpscout(id)) ?? {}
  helpscout.chat(id).status = 'closed'
  expect(await post(id, reply, etag, atHelpscout())).toEqual({ is: 'stale' })
  helpscout.chat(id).status = 'active'
  helpscout.chat(id).assignee = ADA
  expect(await post(id, reply, etag, atHelpscout())).toEqual({ is: 'stale' })
  helpscout.chat(id).assignee = undefined
  const begun = helpscout.chat(id).all
  const draft = { ...begun[0], id: 1, type: 'message', state: 'draft', createdBy: ADA } as (typeof begun)[0]
  begun.unshift(draft)
  const { etag: withDraft = '' } = (await readHelpscout(id)) ?? {}
  draft.state = 'published'
  expect(await post(id, reply, withDraft, atHelpscout())).toEqual({ is: 'stale' })
  begun.shift()
  const ended = atHelpscout({}, AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await post(id, reply, etag, ended)).toEqual({ is: 'again' })
  helpscout.losesAnswer = true
  expect(await post(id, reply, etag, atHelpscout())).toMatchObject({ is: 'unknown' })
  expect(await post(id, reply, etag, atHelpscout())).toEqual({ is: 'stale' })
  expect(helpscout.answersOf(id)).toEqual(['Rotate it.'])
  expect(await post(id, { ...handOver, to: '999' }, etag, atHelpscout())).toMatchObject({ is: 'failed' })
  expect(helpscout.notesOf(id)).toEqual([])
  helpscout.merge(id)
  expect(await post(id, reply, etag, atHelpscout())).toMatchObject({ is: 'failed' })
})

test('a conversation of Help Scout with more threads than are read, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = helpscout.write('How?')
  for (let at = 0; at < 80; at += 1) helpscout.write('And?', { chat: long })
  expect(await readHelpscout(long)).toMatchObject({ isOurs: false })
  const large = helpscout.write('x'.repeat(5_000_000))
  await expect(readHelpscout(large)).rejects.toMatchObject({ isTooLarge: true })
  const strange = helpscout.write('How?')
  helpscout.misbehave({ body: { id: 1, status: 7 } })
  await expect(readHelpscout(strange)).rejects.toThrow('not answer as expected')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  helpscout.misbehave({ body: `{"id": 1, "status": "closed", "customFields": ${deep}}` })
  await expect(readHelpscout(strange)).resolves.toMatchObject({ isOpen: false })
  // It says that there is more than it shows.
  const shown = {
    id: 1,
    status: 'active',
    type: 'email',
    primaryCustomer: { id: 2, email: 'a@mail.example' },
  }
  for (const threads of [0, 1]) {
    helpscout.misbehave({ body: { ...shown, threads, _embedded: {} } })
    await expect(readHelpscout(strange)).resolves.toMatchObject({ isOurs: threads === 0 })
  }
  expect(await readHelpscout('../users/me')).toBeUndefined()
})

test('the source of a mail that Help Scout no longer has, does not show, or that is too large, does not hold up its answer', async () => {
  const id = helpscout.write('How?')
  for (const answer of [
    { status: 404, body: {} },
    { status: 403, body: {} },
    { body: { original: 'x'.repeat(5_000_000) } },
  ]) {
    helpscout.misbehave(undefined, undefined, answer)
    expect((await readHelpscout(id))?.messages).toMatchObject([{ isAutomatic: false }])
  }
  helpscout.misbehave(undefined, undefined, { status: 503, body: '' })
  await expect(readHelpscout(id)).rejects.toThrow('not answer as expected')
})

test('a list of Help Scout that never ends is read for a while, and the next reading goes on where it ended', async () => {
  const page = (at: number) => ({
    body: {
      _embedded: { conversations: [{ id: 70_000 + at, type: 'email', status: 'active', threads: 1 }] },
      page: { totalPages: 1_000 },
    },
  })
  const { cursor } = await changedInHelpscout(scout, undefined, atHelpscout(), new Date())
  helpscout.forget()
  helpscout.misbehave(...Array.from({ length: 20 }, (_, at) => page(at)))
  const first = await changedInHelpscout(scout, cursor, atHelpscout(), new Date())
  const second = await changedInHelpscout(scout, first.cursor, atHelpscout(), new Date())
  helpscout.behave()
  expect([first.ticketIds.length, second.ticketIds.length]).toEqual([10, 10])
  const asked = helpscout.requests.map(({ query }) => Number(query.get('page')))
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  const last = await changedInHelpscout(scout, second.cursor, atHelpscout(), new Date())
  expect(JSON.parse(last.cursor)).toMatchObject({ page: 1 })
})

test('a token of Help Scout that several wait for is not lost if the one who asked first waits no longer', async () => {
  const api = createHelpscoutApi(() => Date.now())
  const id = helpscout.write('How?')
  const { etag = '' } = (await readHelpscout(id)) ?? {}
  const leaving = new AbortController()
  const before = helpscout.tokens()
  const first = api.read('/users/me', HelpscoutUser, atHelpscout({}, leaving.signal))
  const post = postToHelpscout(api, lately)(id, reply, etag, atHelpscout())
  const left = first.then(() => 'not left', String)
  // A tab that is closed while the token is on its way.
  leaving.abort(new Error('The tab was closed.'))
  expect(await left).toContain('The tab was closed.')
  expect(await post).toMatchObject({ is: 'posted' })
  expect(helpscout.tokens()).toBe(before + 1)
  expect(helpscout.answersOf(id)).toEqual(['Rotate it.'])
})

test('a token of Help Scout that was not given is asked for anew by whoever needs one next', async () => {
  const api = createHelpscoutApi(() => Date.now())
  helpscout.misbehave({ status: 503, body: '' })
  const read = () => api.read('/users/me', HelpscoutUser, atHelpscout())
  const both = await Promise.allSettled([read(), read()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(read()).resolves.toMatchObject({ body: { firstName: 'Citewell' } })
})

test('a token of Help Scout is asked for once by many at once, and again shortly before it ends', async () => {
  const clock = { now: Date.now() }
  const api = createHelpscoutApi(() => clock.now)
  const id = helpscout.write('How?')
  const read = () => readHelpscoutConversation(api, id, atHelpscout(), lately)
  const before = helpscout.tokens()
  await Promise.all([read(), read(), read()])
  expect(helpscout.tokens()).toBe(before + 1)
  clock.now += 172_800_000 - 301_000
  await read()
  expect(helpscout.tokens()).toBe(before + 1)
  clock.now += 2_000
  await read()
  expect(helpscout.tokens()).toBe(before + 2)
})
