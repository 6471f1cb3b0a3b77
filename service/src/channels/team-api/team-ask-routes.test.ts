import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const PAGES = [
  {
    title: 'Keys of the board',
    text: 'The signing keys of the board are rotated at noon.',
    visibility: 'restricted' as const,
  },
]
const query = 'When are the signing keys of the board rotated?'

const ask = async (id: string, headers: Record<string, string>, threadId?: string) => {
  const body = { query, ...(threadId !== undefined && { thread_id: threadId }) }
  const response = await api.send(`/knowledge-bases/${id}/chat`, { headers, body })
  return (await framesOf(response)).at(-1)
}

verifies('visibility.team-reads-all', 'members are answered from restricted pages too', async () => {
  const base = await api.makeAskable(PAGES)
  const ann = await api.joinTeam(base)
  expect(await ask(base.id, ann)).toMatchObject({
    done: true,
    covered: true,
    citations: [{ title: 'Keys of the board' }],
  })
  const found = await api.send(`/knowledge-bases/${base.id}/search`, {
    headers: ann,
    body: { query },
  })
  expect(await found.json()).toMatchObject({ count: 1 })
})

test('a conversation of a member can be continued by that member only, not by another, nor on the public API', async () => {
  const base = await api.makeAskable(PAGES)
  const ann = await api.joinTeam(base)
  const bob = await api.joinTeam(base)
  const threadId = String((await ask(base.id, ann))?.['thread_id'])

  expect((await ask(base.id, ann, threadId))?.['thread_id']).toBe(threadId)
  expect((await ask(base.id, bob, threadId))?.['thread_id']).not.toBe(threadId)
  const outside = await api.send(`/public/threads/${threadId}/chat`, {
    headers: { 'x-client-key': base.key },
    body: { query },
  })
  expect(outside.status).toBe(404)
})

test('a base without public pages has no suggested questions', async () => {
  const base = await api.makeAskable(PAGES)
  const ann = await api.joinTeam(base)
  const response = await api.send(`/knowledge-bases/${base.id}/suggested-questions`, {
    headers: ann,
  })
  expect(await response.json()).toEqual({ questions: [] })
})
