import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinTestWorkspace } from '../../service/test/join-workspace.ts'
import { startPublicApi } from '../../service/test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../service/test/test-storage.ts'
import { createClient, type AnswerFrame, type Client, type ClientOptions } from '../src/client.ts'
import { createManagement } from '../src/management.ts'
import { errorOf } from './error-of.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<(typeof api)['makeAskable']>>
beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage, limits: { chatPerKey: 0, chatPerAddress: 0 } })
  base = await api.makeAskable([
    {
      title: 'Rotating signing keys',
      text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
    },
    { title: 'Installing plugins', text: 'Plugins are installed with the plugin command.' },
  ])
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
const QUESTION = 'When are signing keys rotated?'
const open = (options: Partial<ClientOptions> = {}) =>
  createClient({ endpoint: api.address, knowledgeBaseId: base.id, clientKey: base.key, ...options })

verifies('connectors.sdk', 'a question is answered in typed frames, and then rated', async () => {
  const client = open()
  const frames: AnswerFrame[] = []
  for await (const frame of client.ask(QUESTION)) frames.push(frame)

  expect(frames.map(({ type }) => type)).toEqual(['start', ...frames.slice(1, -1).map(() => 'delta'), 'done'])
  const [start, ...rest] = frames
  const done = rest.at(-1)
  if (start?.type !== 'start' || done?.type !== 'done') throw new Error('not a whole answer')
  expect(start.citations[0]).toEqual({
    index: 1,
    title: 'Rotating signing keys',
    url: expect.stringContaining('https://docs.example.com/'),
    documentId: expect.any(String),
    chunkId: expect.any(String),
    headingPath: [],
    excerpt: expect.any(String),
  })
  expect(done).toMatchObject({ covered: true, poweredBy: 'Citewell', messageId: expect.any(String) })
  expect(done.text).toContain('midnight')
  expect(Object.keys(done).filter((name) => name.includes('_'))).toEqual([])

  const rated = await client.rate(done.messageId ?? '', 'down', 'wrong hour')
  expect(rated).toMatchObject({ messageId: done.messageId, vote: 'down', comment: 'wrong hour' })
  await client.withdraw(done.messageId ?? '')
})

test('final, textStream and toResponse give the same text', async () => {
  const client = open()
  const { text, threadId } = await client.ask(QUESTION).final()
  let streamed = ''
  for await (const delta of client.ask(QUESTION).textStream()) streamed += delta
  expect(streamed).toContain('midnight')
  const response = client.ask(QUESTION).toResponse()
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = (await response.text()).trimEnd().split('\n\n')
  const last = JSON.parse(events.at(-1)?.slice('data: '.length) ?? '') as Record<string, unknown>
  expect(last).toMatchObject({ done: true, thread_id: expect.any(String), covered: true })
  expect(text).toContain('midnight')
  expect(threadId).toEqual(expect.any(String))
})

test('final may be waited for beside a loop, and an answer is read once', async () => {
  const answer = open().ask(QUESTION)
  const texts: string[] = []
  for await (const frame of answer) if (frame.type === 'delta') texts.push(frame.text)
  expect((await answer.final()).text).toContain('midnight')
  await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow('read already')
})

test('a thread keeps its id from question to question', async () => {
  const thread = open().thread()
  expect(thread.id).toBeUndefined()
  const first = await thread.ask(QUESTION).final()
  expect(thread.id).toBe(first.threadId)
  const second = await thread.ask('And how are plugins installed?').final()
  expect(second.threadId).toBe(first.threadId)
})

test('search, related, suggested and config answer in the names of the SDK', async () => {
  const client = open()
  const found = await client.search('signing keys', { limit: 1 })
  expect(found).toMatchObject({ count: 1, poweredBy: 'Citewell' })
  expect(found.results[0]).toMatchObject({ title: 'Rotating signing keys', versionLabel: null })
  expect((await client.related('plugins')).articles[0]).toMatchObject({ title: 'Installing plugins' })
  expect(await client.suggested()).toEqual(expect.any(Array))
  expect(await client.config()).toMatchObject({ knowledgeBaseId: base.id, captchaRequired: false })
})

test('a refused question throws its code, its request and whether to try again', async () => {
  const error = await errorOf(open({ clientKey: 'cw_pk_wrong' }).ask(QUESTION).final())
  expect(error).toMatchObject({
    name: 'CitewellError',
    code: 'UNAUTHENTICATED',
    status: 401,
    retryable: false,
    requestId: expect.any(String),
  })
})

/** A saved widget with settings, whose nested ones do not follow the names of the service. */
async function makeWidget(): Promise<string> {
  const token = await joinTestWorkspace(storage.db, () => new Date(), {
    workspaceId: base.workspaceId,
    role: 'owner',
    scopes: ['admin'],
  })
  const management = createManagement({ endpoint: api.address, accessToken: token.token })
  const { id } = await management.createWidget(base.id, {
    name: 'Docs',
    config: { accent_color: '#0b7a75', nested: { in_snake: true } },
  })
  return id
}

/** One call of each method that sends something. */
const CALLS: Record<string, (client: Client, signal?: AbortSignal) => Promise<unknown>> = {
  ask: async (client, signal) => await client.ask(QUESTION, { signal }).final(),
  thread: async (client, signal) => await client.thread().ask(QUESTION, { signal }).final(),
  search: async (client, signal) => await client.search('keys', { signal }),
  related: async (client, signal) => await client.related('keys', { signal }),
  suggested: async (client, signal) => await client.suggested({ signal }),
  config: async (client, signal) => await client.config({ signal }),
  savedConfig: async (client, signal) => await client.savedConfig(ID, { signal }),
  rate: async (client, signal) => await client.rate(ID, 'up', undefined, { signal }),
  withdraw: async (client, signal) => await client.withdraw(ID, { signal }),
  deflect: async (client, signal) => await client.deflect({ body: QUESTION }, { signal }).final(),
  tellOutcome: async (client, signal) => await client.tellOutcome(ID, 'deflected', { signal }),
}

test('the methods are all tried', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(Object.keys(open()).toSorted())
})

test.each(Object.entries(CALLS))(
  '%s throws the refusal of a wrong key, and CANCELLED when aborted',
  async (_, call) => {
    expect(await errorOf(call(open({ clientKey: 'cw_pk_wrong' })))).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
      requestId: expect.any(String),
    })
    expect(await errorOf(call(open(), AbortSignal.abort()))).toMatchObject({ code: 'CANCELLED' })
  },
)

test('a secret pair asks like a key, and a service below a path is reached', async () => {
  const pair = await api.makePair(base.id)
  const client = open({ clientKey: undefined, ...pair })
  expect(await client.ask(QUESTION).final()).toMatchObject({ covered: true })
  const below = await errorOf(open({ endpoint: `${api.address}/below/` }).search('keys'))
  expect(below).toMatchObject({ status: 404 })
})

test('a saved widget is read by its id', async () => {
  const widgetId = await makeWidget()
  const client = open({ widgetId, knowledgeBaseId: '' })
  const config = await client.savedConfig()
  expect(config).toMatchObject({
    id: widgetId,
    knowledgeBaseId: base.id,
    // The owner's own words.
    config: { accent_color: '#0b7a75', nested: { in_snake: true } },
  })
  await expect(client.config()).rejects.toThrow(TypeError)
})

test('an aborted question ends at the service too, and throws CANCELLED', async () => {
  const answer = open().ask(QUESTION)
  const error = await errorOf(
    (async () => {
      for await (const frame of answer) if (frame.type === 'start') answer.abort()
    })(),
  )
  expect(error).toMatchObject({ code: 'CANCELLED', errorCode: 'cancelled' })
  expect(await errorOf(answer.final())).toMatchObject({ code: 'CANCELLED' })
})

test('a form is answered in frames, and its outcome told', async () => {
  const client = open()
  const done = await client
    .deflect({ subject: 'Keys', body: 'When are the signing keys rotated, and how long do old ones work?' })
    .final()
  expect(done).toMatchObject({ answered: true, skippedReason: null, conversationId: expect.any(String) })
  await client.tellOutcome(done.conversationId ?? '', 'deflected')
  const told = await storage.db
    .selectFrom('deflections')
    .select('outcome')
    .where('conversation_id', '=', done.conversationId ?? '')
    .execute()
  expect(told).toEqual([{ outcome: 'deflected' }])
})
