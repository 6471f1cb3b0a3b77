import { expect, test } from 'vitest'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage } from '../../../test/test-storage.ts'

test('a question takes at most nine statements, and reads its base with its settings once', async () => {
  await using storage = await openTestStorage()
  const tables: string[] = []
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => {
      tables.push(JSON.stringify(node))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await using api = await startPublicApi({ storage: { ...storage, db } })
  // No questions are suggested in the background, whose statements would be counted.
  const quiet = { base: { starter_questions: '{"mode":"none","questions":[]}' } }
  const base = await api.makeAskable(
    [{ title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }],
    quiet,
  )
  const ask = async () =>
    await framesOf(
      await api.send(`/public/knowledge-bases/${base.id}/chat`, {
        headers: { 'x-client-key': base.key },
        body: { query: 'When are signing keys rotated?' },
      }),
    )
  const statementsOf = async () => {
    tables.length = 0
    expect((await ask()).at(-1)).toMatchObject({ done: true, covered: true })
    return [...tables]
  }
  // What runs beside a question (the use of the key is recorded, a page's questions are suggested) may fall into one of them.
  const counted = [await statementsOf(), await statementsOf(), await statementsOf(), await statementsOf()]
  const [fewest = []] = counted.toSorted((one, other) => one.length - other.length)

  expect(fewest.length).toBeLessThanOrEqual(9)
  // Once by its key, once under lock where the answer is stored (zero retention may have been switched on meanwhile), and with its webhooks.
  const reads = fewest.filter(
    (node) => node.startsWith('{"kind":"SelectQueryNode"') && node.includes('knowledge_bases'),
  )
  expect(reads.length).toBeLessThanOrEqual(3)
})
