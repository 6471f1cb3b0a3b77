import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'

let rooms: TestRooms
const ids = { make: newId }
beforeAll(async () => {
  rooms = await openTestRooms({ surroundings: { newId: () => ids.make() } })
})
afterAll(() => rooms.close())

const now = () => new Date()

/** A base with a webhook, and conversations that record events of their answers. */
async function open() {
  const { db, conversations } = rooms
  const base = await makeBase(db)
  await db
    .insertInto('webhook_triggers')
    .values({
      knowledge_base_id: base.id,
      id: newId(),
      name: 'x',
      url: 'https://hooks.example.com/',
      origin: 'https://hooks.example.com',
      events: ['conversation.completed'],
      sealed_secret: null,
      gone_at: null,
      created_at: now(),
      updated_at: now(),
    })
    .execute()
  const answer = async (stoppedBy?: string) =>
    await conversations.storeTurn({
      question: {
        knowledgeBaseId: base.id,
        query: 'How?',
        threadId: undefined,
        asker: { surface: 'api', clientKeyId: newId(), userRef: undefined },
        groupIds: undefined,
        includeRestricted: false,
      },
      rewrittenQuery: undefined,
      answer: 'So.',
      citations: [],
      covered: true,
      confidence: 1,
      stoppedBy,
      trace: {},
    })
  const countOf = async (table: 'messages' | 'webhook_deliveries') =>
    (await db.selectFrom(table).select('id').where('knowledge_base_id', '=', base.id).execute()).length
  return { base, answer, countOf }
}

verifies(
  'webhooks.recorded-with-the-answer',
  'an answer and its webhook deliveries are stored together, or not at all',
  async () => {
    const { answer, countOf } = await open()
    await answer()
    // If the process dies here, the delivery stays pending.
    expect([await countOf('messages'), await countOf('webhook_deliveries')]).toEqual([1, 1])
    const failing = await open()
    ids.make = () => 'no id at all'
    await expect(failing.answer()).rejects.toThrow(/uuid/)
    ids.make = newId
    expect([await failing.countOf('messages'), await failing.countOf('webhook_deliveries')]).toEqual([0, 0])
  },
)

verifies('events.conversation-only-finished', 'an interrupted answer records nothing', async () => {
  const { answer, countOf } = await open()
  await answer('timeout')
  expect([await countOf('messages'), await countOf('webhook_deliveries')]).toEqual([1, 0])
})

test('deleting a conversation deletes its webhook deliveries', async () => {
  const { answer, countOf } = await open()
  const kept = await answer()
  await rooms.db
    .deleteFrom('threads')
    .where('id', '=', kept?.threadId ?? '')
    .execute()
  expect(await countOf('webhook_deliveries')).toBe(0)
})
