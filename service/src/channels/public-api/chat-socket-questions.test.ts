import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openChatClient } from '../../../test/chat-socket-client.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
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

/** A client that is signed in, of a service whose answers never end. */
async function openEndless() {
  await using opening = new AsyncDisposableStack()
  const slow = opening.use(await startFakeLlm(fakeLlm.neverEnds('Signing keys are rotated. ')))
  const limits = { chatPerAddress: 0, chatPerKey: 0 }
  const other = opening.use(await startPublicApi({ storage, modelUrl: slow.baseUrl, limits }))
  const own = await other.makeAskable(PAGES)
  const client = opening.use(await openChatClient(other.address, own.id))
  await client.signIn(own.key)
  const opened = opening.move()
  return { client, slow, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const open = (of = base.id, headers: Record<string, string> = {}) => openChatClient(api.address, of, headers)

verifies(
  'websocket.faults-of-one-question',
  'a refused question gets an error frame with its id, and the socket stays open',
  async () => {
    using client = await open()
    await client.signIn(base.key)
    const widgetId = newId()
    await storage.db
      .insertInto('widgets')
      .values({
        knowledge_base_id: base.id,
        id: widgetId,
        name: 'Help',
        enabled: false,
        allowed_origins: [],
        config: '{}',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()
    const refused: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ query: '' }, { code: 'BAD_REQUEST', details: [{ path: 'query' }] }],
      [{ query: 'x'.repeat(4_001) }, { code: 'BAD_REQUEST' }],
      [{ query, group_ids: [newId()] }, { code: 'GROUP_NOT_ALLOWED' }],
      [{ query, widget_id: 'mine' }, { code: 'BAD_REQUEST' }],
      [{ query, widget_id: newId() }, { code: 'NOT_FOUND' }],
      [{ query, widget_id: widgetId }, { code: 'WIDGET_DISABLED' }],
    ]
    for (const [index, [body, expected]] of refused.entries()) {
      client.send({ type: 'chat', id: `r${index}`, ...body })
      expect(await client.end(`r${index}`)).toMatchObject({ type: 'error', ...expected })
    }
    client.send({ type: 'chat', id: 'q1', query })
    expect(await client.end('q1')).toMatchObject({ type: 'done' })
  },
)

verifies(
  ['websocket.close-4429', 'websocket.limits-per-message'],
  'each question counts against the chat limit; beyond it an error frame and 4429 follow',
  async () => {
    await using limited = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerKey: 2 } })
    const own = await limited.makeAskable(PAGES)
    using client = await openChatClient(limited.address, own.id)
    await client.signIn(own.key)
    for (const id of ['q1', 'q2']) {
      client.send({ type: 'chat', id, query })
      expect(await client.end(id)).toMatchObject({ type: 'done' })
    }
    client.send({ type: 'chat', id: 'q3', query })
    expect(await client.closed).toEqual({ code: 4429, reason: 'RATE_LIMITED' })
    expect(client.frames.at(-1)).toMatchObject({
      type: 'error',
      id: 'q3',
      code: 'RATE_LIMITED',
      retryable: true,
    })
  },
)

verifies(
  ['websocket.several-at-once', 'websocket.cancel'],
  'up to four questions are answered concurrently, each under its id',
  async () => {
    await using endless = await openEndless()
    const { client } = endless
    for (const id of ['a', 'b', 'c', 'd', 'e']) client.send({ type: 'chat', id, query })
    expect(await client.end('e')).toMatchObject({ type: 'error', code: 'RATE_LIMITED' })
    for (const id of ['a', 'b', 'c', 'd']) await client.frame((one) => one['id'] === id && 'delta' in one)

    client.send({ type: 'cancel', id: 'b' })
    expect(await client.end('b')).toMatchObject({ type: 'error', error_code: 'cancelled', code: 'CANCELLED' })
    client.send({ type: 'chat', id: 'b', query })
    await client.frame((one) => one['id'] === 'b' && one['type'] === 'start')
  },
)

verifies(
  'websocket.same-id',
  'a question with the id of one that is still being answered is refused without an id, and all answers go on',
  async () => {
    await using endless = await openEndless()
    const { client, slow } = endless
    for (const id of ['a', 'b']) client.send({ type: 'chat', id, query })
    for (const id of ['a', 'b']) await client.frame((one) => one['id'] === id && 'delta' in one)
    client.send({ type: 'chat', id: 'a', query: 'Another question?' })
    const refused = await client.frame(({ type }) => type === 'error')
    for (const id of ['a', 'b']) client.send({ type: 'cancel', id })

    expect(refused).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'id' }] })
    expect(refused).not.toHaveProperty('id')
    // Both were still being answered.
    for (const id of ['a', 'b']) expect(await client.end(id)).toMatchObject({ code: 'CANCELLED' })
    expect(client.frames.filter(({ type, id }) => type === 'start' && id === 'a')).toHaveLength(1)
    expect(slow.requests).toHaveLength(2)
    const seen = client.frames.length
    client.send({ type: 'chat', id: 'a', query })
    await client.frame(
      (one) => client.frames.indexOf(one) >= seen && one['id'] === 'a' && one['type'] === 'start',
    )
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  },
)
