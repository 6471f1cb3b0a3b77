import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, readUIMessageStream, type ChatTransport, type UIMessage } from 'ai'
import { act, createElement as h, StrictMode } from 'react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublicApi } from '../../service/test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../service/test/test-storage.ts'
import {
  CitewellChatTransport,
  questionOf,
  threadOf,
  toUIMessageResponse,
  toUIMessageStream,
  type CitewellChunk,
  type CitewellData,
} from '../src/ai.ts'
import { createClient, type Client } from '../src/client.ts'
import { openPage } from './page.ts'
import { DELTA, DONE, frames, refusal, START, startScriptedServer } from './scripted-server.ts'

const QUESTION = 'When are signing keys rotated?'
type Message = UIMessage<unknown, { citewell: CitewellData }>

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
let client: Client
beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage })
  const base = await api.makeAskable([
    { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' },
  ])
  client = createClient({ endpoint: api.address, knowledgeBaseId: base.id, clientKey: base.key })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

async function collect(stream: ReadableStream<CitewellChunk>): Promise<CitewellChunk[]> {
  const chunks: CitewellChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

test('an answer becomes a message of the AI SDK with text, sources and data', async () => {
  const stream: ReadableStream<CitewellChunk> = toUIMessageStream(client.ask(QUESTION))
  let message: Message | undefined
  for await (const state of readUIMessageStream<Message>({ stream })) message = state
  const types = message?.parts.map(({ type }) => type) ?? []
  expect(types).toEqual(['data-citewell', 'text', 'source-url'])
  const data = message?.parts.find((part) => part.type === 'data-citewell')?.data
  expect(data).toMatchObject({
    found: [{ title: 'Signing keys' }],
    citations: [{ index: 1, title: 'Signing keys' }],
    covered: true,
    messageId: expect.any(String),
    threadId: expect.any(String),
  })
  expect(message?.parts.find((part) => part.type === 'source-url')).toMatchObject({
    sourceId: '1',
    title: 'Signing keys',
    url: expect.stringContaining('https://docs.example.com/'),
  })
})

test('useChat renders an answer, continues its conversation, and stops', async () => {
  using page = openPage()
  const { createRoot } = await import('react-dom/client')
  const asked: (string | undefined)[] = []
  const given: Pick<Client, 'ask'> = {
    ask: (question, options) => {
      asked.push(options?.threadId)
      return client.ask(question, options)
    },
  }
  const transport: ChatTransport<Message> = new CitewellChatTransport(given)
  const seen: ReturnType<typeof useChat<Message>>[] = []
  const Chat = () => {
    const chat = useChat<Message>({ transport })
    seen.push(chat)
    const texts = chat.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    )
    return h('p', null, `${chat.status}|${texts.join('|')}`)
  }
  const root = createRoot(page.root)
  await act(async () => root.render(h(StrictMode, null, h(Chat))))
  const chat = () => {
    const last = seen.at(-1)
    if (last === undefined) throw new Error('It was not drawn.')
    return last
  }
  await act(async () => await chat().sendMessage({ text: QUESTION }))
  expect(page.text()).toMatch(/^ready\|When are signing keys rotated\?\|.*midnight/s)
  await act(async () => await chat().sendMessage({ text: 'And on Windows?' }))
  expect(asked).toEqual([undefined, expect.any(String)])
  await act(async () => {
    const sending = chat().sendMessage({ text: QUESTION })
    await chat().stop()
    await sending
  })
  expect(chat().status).toBe('ready')
  await act(async () => root.unmount())
})

test('a conversation goes on after an answer that was stopped, failed, or came under zero retention', () => {
  const answered = (data: object) => ({ role: 'assistant', parts: [{ type: 'data-citewell', data }] })
  const question = { role: 'user', parts: [{ type: 'text', text: 'When?' }] }
  const first = [question, answered({ found: [], threadId: 't1' }), question]
  expect(threadOf([question])).toBeUndefined()
  expect(threadOf(first)).toBe('t1')
  expect(threadOf([...first, answered({ found: [] }), question])).toBe('t1')
  expect(threadOf([...first, { role: 'assistant', parts: [] }, question])).toBe('t1')
  expect(threadOf([...first, answered({ found: [], threadId: 't2' }), question])).toBe('t2')
})

test('a server passes an answer on to DefaultChatTransport', async () => {
  const transport = new DefaultChatTransport<Message>({
    api: 'http://own.test/chat',
    fetch: async (_input, init) => {
      const { messages } = (await new Response(init?.body).json()) as { messages: Message[] }
      return toUIMessageResponse(client.ask(questionOf(messages), { threadId: threadOf(messages) }))
    },
  })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'c1',
    messageId: undefined,
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
    abortSignal: undefined,
  })
  const types: string[] = []
  for await (const { type } of stream) if (type !== types.at(-1)) types.push(type)
  expect(types).toEqual([
    'start',
    'data-citewell',
    'text-start',
    'text-delta',
    'text-end',
    'source-url',
    'data-citewell',
    'finish',
  ])
})

test('a replaced text travels as data; an error and an abort end the message', async () => {
  await using replaced = await startScriptedServer(frames(START, DELTA, { ...DONE, answer: 'Daily [1].' }))
  const open = (endpoint: string) =>
    createClient({ endpoint, knowledgeBaseId: 'kb', clientKey: 'k', retries: 0 })
  const chunks = await collect(toUIMessageStream(open(replaced.endpoint).ask('When?')))
  expect(chunks.at(-2)).toMatchObject({ type: 'data-citewell', data: { answer: 'Daily [1].' } })
  await using refused = await startScriptedServer(refusal(403, 'FORBIDDEN', false))
  expect(await collect(toUIMessageStream(open(refused.endpoint).ask('When?')))).toEqual([
    { type: 'start' },
    { type: 'error', errorText: 'It is FORBIDDEN.' },
  ])
  const signal = AbortSignal.abort()
  expect(await collect(toUIMessageStream(client.ask('When?', { signal })))).toEqual([
    { type: 'start' },
    { type: 'abort' },
  ])
})
