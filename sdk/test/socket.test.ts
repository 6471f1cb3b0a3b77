import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket as WsSocket, WebSocketServer } from 'ws'
import { startFakeLlm, fakeLlm, type FakeLlm } from '../../service/test/fake-llm.ts'
import { startPublicApi } from '../../service/test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../service/test/test-storage.ts'
import { createClient, type AnswerFrame } from '../src/client.ts'
import { createSocket } from '../src/socket.ts'
import { errorOf } from './error-of.ts'

const PAGES = [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }]
const QUESTION = 'When are signing keys rotated?'

const ANSWERS = fakeLlm.says('Signing keys are rotated every day at midnight. [1]')
const UNLIMITED = { chatPerKey: 0, chatPerAddress: 0 }

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(ANSWERS)
  api = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: UNLIMITED })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

/** A client over a socket, which counts how often it was opened. */
async function openOver(change: { clientKey?: string; from?: { address: string }; retries?: number } = {}) {
  const base = await api.makeAskable(PAGES)
  let opened = 0
  class Counted extends WsSocket {
    constructor(url: string) {
      super(url)
      opened += 1
    }
  }
  const options = {
    endpoint: (change.from ?? api).address,
    knowledgeBaseId: base.id,
    clientKey: change.clientKey ?? base.key,
    WebSocket: Counted as unknown as new (url: string) => WebSocket,
  }
  const socket = createSocket(options)
  const { retries = 2 } = change
  const client = createClient({ ...options, retries, transport: socket })
  return { base, socket, client, opened: () => opened, [Symbol.dispose]: () => socket.close() }
}

test('the frames of a question over a socket are those over HTTP', async () => {
  using over = await openOver()
  const collect = async (client: ReturnType<typeof createClient>) => {
    const frames: AnswerFrame[] = []
    for await (const frame of client.ask(QUESTION)) frames.push(frame)
    return frames.map((frame) =>
      frame.type === 'done' ? { ...frame, messageId: 'id', threadId: 'id' } : frame,
    )
  }
  const http = createClient({
    endpoint: api.address,
    knowledgeBaseId: over.base.id,
    clientKey: over.base.key,
  })
  expect(await collect(over.client)).toEqual(await collect(http))
})

test('ten questions run on one socket, at most four of them together', async () => {
  // The service refuses a fifth one at the same time, and nothing is tried again.
  using over = await openOver({ retries: 0 })
  llm.script(async (exchange) => {
    await new Promise((wake) => {
      setTimeout(wake, 200)
    })
    await ANSWERS(exchange)
  })
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => await over.client.ask(QUESTION).final()),
  )
  expect(answers.map(({ covered }) => covered)).toEqual(answers.map(() => true))
  expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(10)
  expect(over.opened()).toBe(1)
})

test('a question that is left is cancelled, and its place given to the next', async () => {
  using over = await openOver({ retries: 0 })
  // Never ends by itself: six of them would fill the socket.
  llm.script(fakeLlm.stallsAfter('Signing keys '))
  for (let at = 0; at < 6; at += 1)
    for await (const frame of over.client.ask(QUESTION)) if (frame.type === 'start') break
  llm.script(ANSWERS)
  expect((await over.client.ask(QUESTION).final()).covered).toBe(true)
  const signal = AbortSignal.abort()
  expect(await errorOf(over.client.ask(QUESTION, { signal }).final())).toMatchObject({ code: 'CANCELLED' })
  expect(over.opened()).toBe(1)
})

test('a wrong key is an error that is not tried again', async () => {
  using over = await openOver({ clientKey: 'cw_pk_wrong' })
  expect(await errorOf(over.client.ask(QUESTION).final())).toMatchObject({
    code: 'UNAUTHENTICATED',
    retryable: false,
  })
  expect(over.opened()).toBe(1)
})

test('a socket that the service closed is opened again at the next question', async () => {
  using over = await openOver()
  await over.client.ask(QUESTION).final()
  over.socket.close()
  expect((await over.client.ask(QUESTION).final()).covered).toBe(true)
  expect(over.opened()).toBe(2)
})

test('messages that are none are ignored, and silence ends the question', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    for (const message of ['{', 'null', '7', '[]', '{"type":"delta","id":"q1"}x', '{"type":"ready"}'])
      socket.send(message)
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    knowledgeBaseId: 'kb',
    clientKey: 'k',
    timeoutMs: 300,
    WebSocket: WsSocket as unknown as new (url: string) => WebSocket,
  }
  const socket = createSocket(options)
  const client = createClient({ ...options, retries: 0, transport: socket })
  expect(await errorOf(client.ask(QUESTION).final())).toMatchObject({ code: 'TIMEOUT' })
  socket.close()
  server.close()
})

/** A service that is ready at once, and answers as it is told, by number of the connection. */
async function startTold(answer: (connection: number, say: (frame: object) => void, id: string) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  let connections = 0
  server.on('connection', (socket) => {
    const connection = (connections += 1)
    const say = (frame: object) => socket.send(JSON.stringify(frame))
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString()) as { type: string; id: string }
      if (type === 'auth') say({ type: 'ready' })
      else if (type === 'chat') answer(connection, say, id)
    })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    knowledgeBaseId: 'kb',
    clientKey: 'k',
    timeoutMs: 300,
    WebSocket: WsSocket as unknown as new (url: string) => WebSocket,
  }
  const socket = createSocket(options)
  return {
    socket,
    client: (retries: number) => createClient({ ...options, retries, transport: socket }),
    connections: () => connections,
    [Symbol.dispose]: () => {
      socket.close()
      for (const open of server.clients) open.terminate()
      server.close()
    },
  }
}
const WHOLE = { type: 'done', done: true, citations: [], covered: true, confidence: 1 }

test('a connection on which nothing comes any more is left, and the question asked on another', async () => {
  using told = await startTold((connection, say, id) => {
    if (connection > 1) say({ ...WHOLE, id })
  })
  expect(await errorOf(told.client(0).ask(QUESTION).final())).toMatchObject({ code: 'TIMEOUT' })
  expect((await told.client(0).ask(QUESTION).final()).covered).toBe(true)
  expect(told.connections()).toBe(2)
})

test('a question that gets nothing is not the end of those that are answered on its connection', async () => {
  using told = await startTold((_, say, id) => {
    if (id === 'q1') return
    const talking = setInterval(() => say({ type: 'delta', id, delta: 'a', done: false }), 50)
    setTimeout(() => {
      clearInterval(talking)
      say({ ...WHOLE, id })
    }, 700)
  })
  const client = told.client(0)
  const [silent, answered] = await Promise.all([
    errorOf(client.ask(QUESTION).final()),
    client.ask(QUESTION).final(),
  ])
  expect([silent.code, answered.covered]).toEqual(['TIMEOUT', true])
  expect(told.connections()).toBe(1)
})

test('too many questions: the error says when to come back, and nothing is asked before', async () => {
  await using limited = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerKey: 1 } })
  using over = await openOver({ from: limited })
  await over.client.ask(QUESTION).final()
  const error = await errorOf(over.client.ask(QUESTION).final())
  expect(error).toMatchObject({ code: 'RATE_LIMITED', errorCode: 'rate_limited', retryable: true })
  expect(error.retryAfter).toBeGreaterThan(8)
  expect(over.opened()).toBe(1)
})

test('close ends what runs and what waits, and opens nothing', async () => {
  using told = await startTold(() => undefined)
  const asked = Array.from({ length: 6 }, () => errorOf(told.client(2).ask(QUESTION).final()))
  await new Promise((wake) => {
    setTimeout(wake, 100)
  })
  told.socket.close()
  expect((await Promise.all(asked)).map(({ code }) => code)).toEqual(asked.map(() => 'CANCELLED'))
  expect(told.connections()).toBe(1)
})

test('a service that restarts is asked again, where no answer had begun', async () => {
  const first = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: UNLIMITED })
  using over = await openOver({ from: first })
  await over.client.ask(QUESTION).final()
  const { port } = new URL(first.address)
  await first[Symbol.asyncDispose]()
  const error = await errorOf(over.client.ask(QUESTION).final())
  expect({ port, code: error.code, retryable: error.retryable }).toEqual({
    port,
    code: 'UNREACHABLE',
    retryable: true,
  })
  // Two repetitions.
  expect(over.opened()).toBe(4)
})
