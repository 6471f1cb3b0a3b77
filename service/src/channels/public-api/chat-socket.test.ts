import { request as httpRequest } from 'node:http'
import { SOCKET_LIMITS } from '@citewell/contract/closed-lists'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
]
const query = 'When are signing keys rotated?'

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let base: Awaited<ReturnType<typeof api.makeAskable>>

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says('Signing keys are rotated every day ', 'at midnight [1].'))
  api = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerAddress: 0, chatPerKey: 0 } })
  base = await api.makeAskable(PAGES)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

const open = (of = base.id, headers: Record<string, string> = {}) => openChatClient(api.address, of, headers)

verifies(
  ['websocket.auth-then-ready', 'websocket.frames-as-the-stream', 'websocket.thread-and-message-ids'],
  'auth is answered with ready, then frames arrive as in the event stream, with their type and the id of the question',
  async () => {
    using client = await open()
    expect(await client.signIn(base.key)).toEqual({ type: 'ready' })
    client.send({ type: 'chat', id: 'q1', query, unknown: 'is passed over' })
    const done = await client.end('q1')

    expect(client.frames.map(({ type }) => type)).toEqual(['ready', 'start', 'delta', 'delta', 'done'])
    expect(done).toMatchObject({
      thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      covered: true,
    })
    const streamed = await framesOf(
      await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query },
      }),
    )
    const withoutIds = (frames: Record<string, unknown>[]) =>
      frames.map(({ thread_id: _thread, message_id: _message, ...rest }) => rest)
    expect(withoutIds(client.framesOf('q1'))).toEqual(withoutIds(streamed))

    const follow = { type: 'chat', id: 'q2', query: 'And then?', thread_id: done['thread_id'] }
    client.send(follow)
    expect(await client.end('q2')).toMatchObject({ thread_id: done['thread_id'] })
    const rated = await api.send('/public/feedback', {
      headers: { 'x-client-key': base.key },
      body: { message_id: done['message_id'], rating: 'up' },
    })
    expect(rated.status).toBe(201)
  },
)

verifies(
  'websocket.secret-pair',
  'a secret pair is accepted; half a pair, or both kinds of credentials, close the socket with 4401',
  async () => {
    const pair = await api.makePair(base.id)
    using client = await open()
    client.send({ type: 'auth', client_id: pair.clientId, client_secret: pair.clientSecret })
    await client.frame(({ type }) => type === 'ready')

    const wrong = [
      { client_id: pair.clientId },
      { client_key: base.key, client_id: pair.clientId, client_secret: pair.clientSecret },
      { client_id: pair.clientId, client_secret: `${pair.clientSecret}x` },
      {},
    ]
    for (const credentials of wrong) {
      using other = await open()
      other.send({ type: 'auth', ...credentials })
      expect(await other.closed).toEqual({ code: 4401, reason: 'UNAUTHENTICATED' })
      expect(other.frames).toMatchObject([{ type: 'error', code: 'UNAUTHENTICATED' }])
    }
  },
)

verifies(
  'websocket.close-4401',
  'a wrong key, a question before auth, and a key revoked since then are closed with 4401',
  async () => {
    using wrong = await open()
    wrong.send({ type: 'auth', client_key: 'cw_pk_wrong' })
    expect((await wrong.closed).code).toBe(4401)

    using early = await open()
    early.send({ type: 'chat', id: 'q1', query })
    expect((await early.closed).code).toBe(4401)

    const revoked = await api.makeAskable([])
    using client = await open(revoked.id)
    await client.signIn(revoked.key)
    await storage.db
      .updateTable('client_keys')
      .set({ status: 'revoked' })
      .where('id', '=', revoked.keyId)
      .execute()
    client.send({ type: 'chat', id: 'q1', query })
    expect((await client.closed).code).toBe(4401)
  },
)

verifies(
  ['websocket.close-4403', 'websocket.origin-of-key'],
  'a page of another origin, an archived base and a base made internal are closed with 4403',
  async () => {
    const narrow = await api.makeAskable([])
    await storage.db
      .updateTable('client_keys')
      .set({ allowed_origins: ['https://docs.example.com'] })
      .where('id', '=', narrow.keyId)
      .execute()
    using foreign = await open(narrow.id, { origin: 'https://evil.example' })
    foreign.send({ type: 'auth', client_key: narrow.key })
    expect(await foreign.closed).toEqual({ code: 4403, reason: 'ORIGIN_NOT_ALLOWED' })
    using own = await open(narrow.id, { origin: 'https://docs.example.com' })
    await own.signIn(narrow.key)
    using server = await open(narrow.id)
    await server.signIn(narrow.key)

    await storage.db
      .updateTable('knowledge_bases')
      .set({ status: 'archived' })
      .where('id', '=', narrow.id)
      .execute()
    own.send({ type: 'chat', id: 'q1', query })
    expect(await own.closed).toEqual({ code: 4403, reason: 'KNOWLEDGE_BASE_ARCHIVED' })
    await storage.db
      .updateTable('knowledge_bases')
      .set({ status: 'active', type: 'internal' })
      .where('id', '=', narrow.id)
      .execute()
    server.send({ type: 'chat', id: 'q1', query })
    expect(await server.closed).toEqual({ code: 4403, reason: 'KNOWLEDGE_BASE_INTERNAL' })
  },
)

verifies(
  'websocket.close-4404',
  'an unknown base, or one that the key does not open, is closed with 4404',
  async () => {
    const other = await api.makeAskable([])
    for (const id of [other.id, newId(), 'no-id']) {
      using client = await open(id)
      client.send({ type: 'auth', client_key: base.key })
      expect((await client.closed).code).toBe(4404)
    }
  },
)

verifies(
  'websocket.close-4400',
  'a message that is not part of the chat protocol is closed with 4400',
  async () => {
    const bad = [
      'not json',
      '[]',
      '{"type":"shout"}',
      '{"type":"chat","query":"no id"}',
      `{"type":"chat","id":"${'x'.repeat(101)}","query":"long id"}`,
      JSON.stringify({ type: 'auth', client_key: base.key }),
    ]
    for (const message of bad) {
      using client = await open()
      await client.signIn(base.key)
      client.send(message)
      expect({ message, code: (await client.closed).code }).toEqual({ message, code: 4400 })
    }
    using binary = await open()
    binary.socket.send(Buffer.from('{}'))
    expect((await binary.closed).code).toBe(4400)
    using early = await open()
    early.send('not json')
    expect((await early.closed).code).toBe(4400)
  },
)

verifies(
  'websocket.close-1009',
  'a message above 64 kB is closed with 1009, one just below is read',
  async () => {
    using client = await open()
    await client.signIn(base.key)
    const padded = { type: 'chat', id: 'q1', query, padding: '' }
    const room = SOCKET_LIMITS.messageBytes - JSON.stringify(padded).length
    client.send({ ...padded, padding: 'x'.repeat(room) })
    expect(await client.end('q1')).toMatchObject({ type: 'done' })
    client.send({ ...padded, padding: 'x'.repeat(room + 1) })
    expect((await client.closed).code).toBe(1009)
  },
)

test('a plain GET at the address explains what to do, and an upgrade elsewhere is refused', async () => {
  const plain = await api.send(`/public/knowledge-bases/${base.id}/ws`, {
    headers: { 'x-client-key': base.key },
  })
  expect(plain.status).toBe(400)
  const elsewhere = openChatClient(`${api.address}/nowhere`, base.id)
  await expect(elsewhere).rejects.toThrow('404')
})

test('an Upgrade header at an address without a socket is ignored, and the request is answered normally', async () => {
  const body = JSON.stringify({ query })
  const address = new URL(
    `/api/v1/public/knowledge-bases/${base.id}/search`,
    api.address.replace(/^ws/, 'http'),
  )
  const headers = {
    'x-client-key': base.key,
    'content-type': 'application/json',
    connection: 'upgrade',
    upgrade: 'websocket',
  }
  const answered = Promise.withResolvers<number | undefined>()
  httpRequest(address, { method: 'POST', headers, timeout: 10_000 }, (response) => {
    response.resume()
    answered.resolve(response.statusCode)
  })
    .on('error', answered.reject)
    .on('upgrade', () => answered.resolve(101))
    .end(body)
  expect(await answered.promise).toBe(200)
})

verifies(
  'websocket.browser-client',
  'the WebSocket of Node, which has the browser API, reads the same frames',
  async () => {
    const url = `${api.address.replace('http', 'ws')}/api/v1/public/knowledge-bases/${base.id}/ws`
    const socket = new WebSocket(url)
    const frames: Record<string, unknown>[] = []
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () =>
        socket.send(JSON.stringify({ type: 'auth', client_key: base.key })),
      )
      socket.addEventListener('error', () => reject(new Error('The socket failed.')))
      socket.addEventListener('message', ({ data }) => {
        const frame = JSON.parse(String(data)) as Record<string, unknown>
        frames.push(frame)
        if (frame['type'] === 'ready') socket.send(JSON.stringify({ type: 'chat', id: 'q1', query }))
        if (frame['type'] === 'done') resolve()
      })
    })
    socket.close()
    expect(frames.map(({ type }) => type)).toEqual(['ready', 'start', 'delta', 'delta', 'done'])
  },
)
