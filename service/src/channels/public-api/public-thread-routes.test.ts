import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newTicketId } from '../../kernel/ids.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const PAGES = [
  {
    title: 'Rotating signing keys',
    text: 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.',
  },
  { title: 'Installing plugins', text: 'Plugins are installed with the plugin command.' },
]
const QUESTION = 'When are signing keys rotated?'

const chatPath = (base: { id: string }) => `/public/knowledge-bases/${base.id}/chat`

verifies(
  ['threads.continue', 'chat.thread-id-invalid'],
  'thread_id continues a conversation; an id of another caller starts a new one',
  async () => {
    await using api = await startPublicApi({ storage })
    const [base, other] = [await api.makeAskable(PAGES), await api.makeAskable(PAGES)]
    const ask = async (of: { id: string; key: string }, thread_id?: string) => {
      const response = await api.send(chatPath(of), {
        headers: { 'x-client-key': of.key },
        body: { query: QUESTION, ...(thread_id !== undefined && { thread_id }) },
      })
      return (await framesOf(response)).at(-1)?.['thread_id']
    }
    const threadId = String(await ask(base))

    expect(await ask(base, threadId)).toBe(threadId)
    expect(await ask(base, threadId.toUpperCase())).toBe(threadId)
    for (const foreign of [
      await ask(other, threadId),
      await ask(base, newTicketId()),
      await ask(base, 'last tuesday'),
    ]) {
      expect(foreign).toMatch(/^[0-9a-f-]{36}$/)
      expect(foreign).not.toBe(threadId)
    }
  },
)

verifies(
  ['threads.route-invalid-id', 'threads.route-not-found', 'traps.thread-id-in-two-places'],
  'the thread route continues a conversation, and refuses an invalid id, an unknown one and one of another base',
  async () => {
    await using api = await startPublicApi({ storage })
    const [base, other] = [await api.makeAskable(PAGES), await api.makeAskable(PAGES)]
    const first = await framesOf(
      await api.send(chatPath(base), { headers: { 'x-client-key': base.key }, body: { query: QUESTION } }),
    )
    const threadId = String(first.at(-1)?.['thread_id'])
    const ask = async (key: string, id: string) =>
      await api.send(`/public/threads/${id}/chat`, {
        headers: { 'x-client-key': key },
        body: { query: QUESTION },
      })

    expect((await framesOf(await ask(base.key, threadId))).at(-1)).toMatchObject({
      done: true,
      thread_id: threadId,
    })
    expect((await framesOf(await ask(base.key, threadId.toUpperCase()))).at(-1)).toMatchObject({
      thread_id: threadId,
    })
    expect((await ask(base.key, 'last-tuesday')).status).toBe(400)
    expect((await ask(base.key, newTicketId())).status).toBe(404)
    const foreign = await ask(other.key, threadId)
    expect(foreign.status).toBe(404)
    expect(await foreign.json()).toMatchObject({ code: 'NOT_FOUND' })
  },
)

verifies(
  'threads.same-as-chat',
  'the thread route validates the same body as chat, and sends the same frames',
  async () => {
    await using api = await startPublicApi({ storage })
    const base = await api.makeAskable(PAGES)
    const headers = { 'x-client-key': base.key }
    const first = await api.send(chatPath(base), { headers, body: { query: QUESTION } })
    const contentType = first.headers.get('content-type')
    const begun = await framesOf(first)
    const onThread = (body: object) =>
      api.send(`/public/threads/${String(begun.at(-1)?.['thread_id'])}/chat`, { headers, body })
    const followed = await onThread({ query: QUESTION, top_k: 1_000, unknown: true })

    expect(followed.headers.get('content-type')).toBe(contentType)
    const shapeOf = (frames: object[]) => [frames[0], frames.at(-1)].map((frame) => Object.keys(frame ?? {}))
    expect(shapeOf(await framesOf(followed))).toEqual(shapeOf(begun))
    const refused: [object, number][] = [
      [{}, 400],
      [{ query: 'x'.repeat(4_001) }, 400],
      [{ query: QUESTION, widget_id: 'mine' }, 400],
      [{ query: QUESTION, top_k: 0 }, 400],
      [{ query: QUESTION, group_ids: ['mine'] }, 403],
    ]
    for (const [body, status] of refused)
      expect([body, (await onThread(body)).status]).toEqual([body, status])
  },
)
