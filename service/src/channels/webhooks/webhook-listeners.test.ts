import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { createConversations } from '../../answers/conversations/conversations.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'
import { createEvents } from '../../platform/events/events.ts'
import { listenForWebhooks } from './webhook-listeners.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const now = () => new Date()

/** A base with a webhook, and conversations that record events of their answers; nothing is sent. */
async function open(recordId: () => string = newId) {
  const { db } = storage
  const events = createEvents({ onListenerFailed: () => {} })
  let wakes = 0
  const sender = { wake: () => void (wakes += 1) }
  const { onAnswerKept } = listenForWebhooks({ db, events, sender, newId: recordId, now })
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
  const conversations = createConversations({ db, now, newTicketId, alsoKeep: onAnswerKept })
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
  return { base, events, answer, countOf, wakes: () => wakes }
}

verifies(
  'webhooks.recorded-with-the-answer',
  'an answer and its webhook deliveries are stored together, or not at all',
  async () => {
    const { answer, countOf } = await open()
    await answer()
    // If the process dies here, the delivery stays pending.
    expect([await countOf('messages'), await countOf('webhook_deliveries')]).toEqual([1, 1])
    const failing = await open(() => 'no id at all')
    await expect(failing.answer()).rejects.toThrow(/uuid/)
    expect([await failing.countOf('messages'), await failing.countOf('webhook_deliveries')]).toEqual([0, 0])
  },
)

verifies('events.conversation-only-finished', 'an interrupted answer records nothing', async () => {
  const { answer, countOf } = await open()
  await answer('timeout')
  expect([await countOf('messages'), await countOf('webhook_deliveries')]).toEqual([1, 0])
})

test('the sender is woken when an answer is stored, and only if there is something to send', async () => {
  const { base, events, answer, wakes } = await open()
  const kept = await answer()
  expect(wakes()).toBe(0)
  events.announce('conversation.completed', { knowledgeBaseId: base.id, threadId: '', messageId: newId() })
  expect(wakes()).toBe(0)
  const ids = { threadId: kept?.threadId ?? '', messageId: kept?.messageId ?? '' }
  events.announce('conversation.completed', { knowledgeBaseId: base.id, ...ids })
  expect(wakes()).toBe(1)
})

test('deleting a conversation deletes its webhook deliveries', async () => {
  const { answer, countOf } = await open()
  const kept = await answer()
  await storage.db
    .deleteFrom('threads')
    .where('id', '=', kept?.threadId ?? '')
    .execute()
  expect(await countOf('webhook_deliveries')).toBe(0)
})
