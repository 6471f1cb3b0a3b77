import { expect, test } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

/** The composed service, and what counts its statements. */
async function startCounted(storage: TestStorage) {
  const statements: string[] = []
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  return { statements, api: await startPublicApi({ storage: { ...storage, db } }) }
}

// No questions are suggested in the background, whose statements would be counted.
const QUIET = { base: { starter_questions: '{"mode":"none","questions":[]}' } }
const PAGE = { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }

test('a search takes two statements: one for the key with its base, one that finds', async () => {
  await using storage = await openTestStorage()
  const { statements, api: opened } = await startCounted(storage)
  await using api = opened
  const base = await api.makeAskable([PAGE], QUIET)
  const search = async () => {
    statements.length = 0
    const response = await api.send(`/public/knowledge-bases/${base.id}/search`, {
      headers: { 'x-client-key': base.key },
      body: { query: 'When are signing keys rotated?' },
    })
    expect(await response.json()).toMatchObject({ count: 1 })
    return statements.length
  }
  // The first ones count the pages of the base and record the use of the key.
  const counted = [await search(), await search(), await search(), await search()]
  expect(Math.min(...counted)).toBe(2)
})

test('a question takes at most eight statements, and reads its base with its settings once', async () => {
  await using storage = await openTestStorage()
  const { statements, api: opened } = await startCounted(storage)
  await using api = opened
  const base = await api.makeAskable([PAGE], QUIET)
  const ask = async () =>
    await framesOf(
      await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query: 'When are signing keys rotated?' },
      }),
    )
  const statementsOf = async () => {
    statements.length = 0
    expect((await ask()).at(-1)).toMatchObject({ done: true, covered: true })
    return [...statements]
  }
  // What runs beside a question (the use of the key is recorded, a page's questions are suggested) may fall into one of them.
  const counted = [await statementsOf(), await statementsOf(), await statementsOf(), await statementsOf()]
  const [fewest = []] = counted.toSorted((one, other) => one.length - other.length)

  expect(fewest.length).toBeLessThanOrEqual(8)
  // Once by its key, once under lock where the answer is stored (zero retention may have been switched on meanwhile), and with its webhooks.
  const reads = fewest.filter(
    (node) => node.startsWith('{"kind":"SelectQueryNode"') && node.includes('knowledge_bases'),
  )
  expect(reads.length).toBeLessThanOrEqual(3)
})
