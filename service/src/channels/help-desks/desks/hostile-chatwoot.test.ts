import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ACCOUNT,
  startChatwootStandIn,
  type ChatwootStandIn,
} from '../../../../test/platforms/chatwoot-stand-in.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import type { DeskAccount } from '../help-desk.ts'
import { readChatwootChat } from './chatwoot/chatwoot-chat.ts'
import { postToChatwoot } from './chatwoot/chatwoot-posts.ts'

/** What Chatwoot does not do if it is set up well, and what cannot be asked of a real one. */
let chatwoot: ChatwootStandIn
const outbound = createOutbound({ allowPrivateNetwork: true })
beforeAll(async () => {
  chatwoot = await startChatwootStandIn()
})
afterAll(async () => {
  await chatwoot[Symbol.asyncDispose]()
  await outbound.close()
})

const account = (signal = new AbortController().signal): DeskAccount => ({
  credentials: chatwoot.credentials,
  config: { api_url: chatwoot.origin, account_id: ACCOUNT },
  fetchOutbound: outbound.fetchOutbound,
  signal,
})
const reply = { do: 'reply', text: 'Rotate it.' } as const
const handOver = { do: 'hand_over', to: '', text: 'The customer asks for a person.' } as const
const read = async (id: string) => (await readChatwootChat(id, account()))?.ticket

test('what is posted to Chatwoot has no placeholder, link, picture or mention that was not one before', async () => {
  const id = chatwoot.write('How?')
  const { etag = '' } = (await read(id)) ?? {}
  const text =
    '{{ contact.email }} {% if x %} [Pay](https://evil.example) ![x][y] [@Ada](mention://user/6/Ada)'
  expect(await postToChatwoot(id, { do: 'reply', text }, etag, account())).toMatchObject({ is: 'posted' })
  expect(chatwoot.answersOf(id)).toEqual([
    '{ { contact.email }} { % if x %} [Pay] (https://evil.example) ![x] [y] [@Ada] (mention://user/6/Ada)',
  ])
})

test('an answer to a chat of Chatwoot is stale if something was said or people have it; what is there already is not posted again', async () => {
  const id = chatwoot.write('How?')
  const { etag = '' } = (await read(id)) ?? {}
  chatwoot.chat(id).status = 'open'
  expect(await postToChatwoot(id, reply, etag, account())).toEqual({ is: 'stale' })
  chatwoot.chat(id).status = 'pending'
  const ended = account(AbortSignal.abort(new Error('The service is shutting down.')))
  expect(await postToChatwoot(id, reply, etag, ended)).toEqual({ is: 'again' })
  chatwoot.losesAnswer = true
  expect(await postToChatwoot(id, reply, etag, account())).toMatchObject({ is: 'unknown' })
  expect(await postToChatwoot(id, reply, etag, account())).toEqual({ is: 'stale' })
  expect(chatwoot.answersOf(id)).toEqual(['Rotate it.'])
})

test('a hand-over that was stopped in between is continued, and says nothing twice', async () => {
  const id = chatwoot.write('How?')
  // The conversation is open, and the word to the customer does not come through.
  chatwoot.misbehave(undefined, undefined, undefined, { status: 429, body: '' })
  expect(await postToChatwoot(id, handOver, '', account())).toMatchObject({ is: 'wait' })
  expect([chatwoot.chat(id).status, chatwoot.answersOf(id)]).toEqual(['open', []])
  expect(await postToChatwoot(id, handOver, '', account())).toMatchObject({ is: 'posted' })
  expect(await postToChatwoot(id, handOver, '', account())).toMatchObject({ is: 'posted' })
  expect(chatwoot.answersOf(id)).toEqual(['Somebody of our team will take over here.'])
})

test('a draft is left in a chat that people have by then; one whose chat could not be opened is tried again, and left once', async () => {
  const draft = { do: 'note', text: 'Rotate it.' } as const
  const id = chatwoot.write('How?')
  const { etag = '' } = (await read(id)) ?? {}
  // The reading takes two requests; the third one opens the conversation.
  chatwoot.misbehave(undefined, undefined, { status: 503, body: '' })
  expect(await postToChatwoot(id, draft, etag, account())).toEqual({ is: 'again' })
  chatwoot.misbehave(undefined, undefined, { status: 422, body: {} })
  expect(await postToChatwoot(id, draft, etag, account())).toMatchObject({ is: 'failed' })
  expect([chatwoot.chat(id).status, chatwoot.notesOf(id)]).toEqual(['pending', []])
  // It is open, and the draft does not come through.
  chatwoot.misbehave(undefined, undefined, undefined, { status: 429, body: '' })
  expect(await postToChatwoot(id, draft, etag, account())).toMatchObject({ is: 'wait' })
  expect([chatwoot.chat(id).status, chatwoot.notesOf(id)]).toEqual(['open', []])
  expect(await postToChatwoot(id, draft, etag, account())).toMatchObject({ is: 'posted' })
  expect(await postToChatwoot(id, draft, etag, account())).toEqual({ is: 'stale' })
  expect([chatwoot.chat(id).status, chatwoot.notesOf(id)]).toEqual(['open', ['Rotate it.']])
})

test('what is posted to Chatwoot with the token of a person is theirs, and ends our part', async () => {
  const id = chatwoot.write('How?')
  const { etag = '' } = (await read(id)) ?? {}
  const { agent_token } = chatwoot.credentials
  const asPerson = { ...account(), credentials: { ...chatwoot.credentials, bot_token: agent_token } }
  expect(await postToChatwoot(id, reply, etag, asPerson)).toMatchObject({ is: 'posted' })
  expect((await read(id))?.messages.map(({ by }) => by)).toEqual(['customer', 'team'])
  expect(chatwoot.answersOf(id)).toEqual([])
})

test('a chat of Chatwoot with more messages than are listed, too many bytes, a strange form or a great depth is left to people', async () => {
  const long = chatwoot.write('How?')
  for (let at = 0; at < 98; at += 1) chatwoot.write('And?', { chat: long })
  expect(await read(long)).toMatchObject({ isOurs: true })
  chatwoot.write('And?', { chat: long })
  expect(await read(long)).toMatchObject({ isOurs: false, isHeldHere: true })
  const large = chatwoot.write('x'.repeat(5_000_000))
  await expect(read(large)).rejects.toMatchObject({ isTooLarge: true })
  const strange = chatwoot.write('How?')
  chatwoot.misbehave({ body: { id: 1, status: 2, meta: {} } })
  await expect(read(strange)).rejects.toThrow('not answer as expected')
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  chatwoot.misbehave({ body: `{"id": 1, "status": "resolved", "meta": {}, "custom_attributes": ${deep}}` })
  await expect(read(strange)).resolves.toMatchObject({ isOpen: false })
  expect(await read('../profile')).toBeUndefined()
})
