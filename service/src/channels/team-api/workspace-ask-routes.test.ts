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

async function world() {
  const base = await api.makeAskable(PAGES)
  const headers = await api.joinTeam(base)
  const send = async (path: string, body: object) =>
    await api.send(`/workspaces/${base.workspaceId}/${path}`, { headers, body })
  return { base, headers, send }
}

test('a question to a workspace is answered by the base that knows it, and the frames name that base', async () => {
  const { base, send } = await world()
  const frames = await framesOf(await send('chat', { query }))
  const knowledge_base = { id: base.id, name: expect.any(String) }
  expect(frames[0]).toMatchObject({ done: false, knowledge_base })
  expect(frames.at(-1)).toMatchObject({
    done: true,
    covered: true,
    citations: [{ title: 'Keys of the board' }],
    knowledge_base,
  })
  const found = (await (await send('search', { query })).json()) as object
  expect(found).toMatchObject({ count: 1, results: [{ title: 'Keys of the board', knowledge_base }] })
})

test('a conversation goes on in its base, for its own member alone', async () => {
  const { base, headers, send } = await world()
  const first = (await framesOf(await send('chat', { query }))).at(-1)
  const body = { query: 'And who does it?', thread_id: first?.['thread_id'] }
  expect((await framesOf(await send('chat', body))).at(-1)).toMatchObject({ thread_id: first?.['thread_id'] })
  const other = await api.joinTeam(base)
  const theirs = await api.send(`/workspaces/${base.workspaceId}/chat`, { headers: other, body })
  expect((await framesOf(theirs)).at(-1)?.['thread_id']).not.toBe(first?.['thread_id'])
  const mine = await api.send('/me/conversations', { headers })
  expect(await mine.json()).toMatchObject({
    data: [{ id: first?.['thread_id'], knowledge_base_id: base.id }],
  })
})

verifies(
  'knowledge-bases.archived-leaves-assistant',
  'an archived base is not asked, and ids of other bases and workspaces are refused alike',
  async () => {
    const { base, headers, send } = await world()
    const foreign = await world()
    for (const ids of [[foreign.base.id], ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10']]) {
      const refused = await send('chat', { query, knowledge_base_ids: ids })
      expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
    }
    const stranger = await api.send(`/workspaces/${base.workspaceId}/chat`, {
      headers: foreign.headers,
      body: { query },
    })
    expect(stranger.status).toBe(404)

    await storage.execute("update knowledge_bases set status = 'archived' where id = $1", [base.id])
    for (const path of ['chat', 'search']) {
      const refused = await api.send(`/workspaces/${base.workspaceId}/${path}`, { headers, body: { query } })
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'FORBIDDEN' }])
    }
  },
)
