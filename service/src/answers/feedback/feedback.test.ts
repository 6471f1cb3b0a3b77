import type { SurfaceName } from '@citewell/contract/surfaces'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'
import { verifies } from '@citewell/spec/verifies'

let rooms: TestRooms
beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms.close())

async function answerOn(knowledgeBaseId: string, surface: SurfaceName): Promise<string> {
  const stored = await rooms.conversations.storeTurn({
    question: {
      knowledgeBaseId,
      query: 'How often do keys rotate?',
      threadId: undefined,
      asker: { surface, clientKeyId: newId(), userRef: undefined },
      groupIds: undefined,
      includeRestricted: false,
    },
    rewrittenQuery: undefined,
    answer: 'Daily.',
    citations: [],
    covered: true,
    confidence: 1,
    stoppedBy: undefined,
    trace: {},
  })
  return stored?.messageId ?? ''
}

verifies(
  'feedback.one-per-answer',
  'a second rating replaces the first, and the record keeps its id, its source and its first time',
  async () => {
    const base = await makeBase(rooms.db)
    const messageId = await answerOn(base.id, 'widget')
    const { feedback } = rooms
    const first = await feedback.give(base.id, { messageId, vote: 'up', comment: 'Exactly.' })
    expect(first).toMatchObject({
      workspaceId: base.workspaceId,
      messageId,
      vote: 'up',
      comment: 'Exactly.',
      source: 'widget',
    })

    const time = new Date('2026-03-09T11:00:00.000Z')
    rooms.clock.time = time
    const second = await feedback.give(base.id, { messageId, vote: 'down', comment: undefined })

    expect(second).toEqual({ ...first, vote: 'down', comment: undefined, updatedAt: time })
  },
)

test('a rating can be withdrawn, and withdrawing it again is not an error', async () => {
  const base = await makeBase(rooms.db)
  const messageId = await answerOn(base.id, 'api')
  const { feedback } = rooms
  const first = await feedback.give(base.id, { messageId, vote: 'up', comment: undefined })
  await feedback.withdraw(base.id, messageId)
  await feedback.withdraw(base.id, messageId)
  const again = await feedback.give(base.id, { messageId, vote: 'up', comment: undefined })
  expect(again.id).not.toBe(first.id)
})

verifies(
  ['feedback.other-base', 'feedback.unknown', 'traps.feedback-tells-nothing'],
  'a malformed message id is a 400, an unknown message a 404, and a message of another base a 403',
  async () => {
    const [base, other] = [await makeBase(rooms.db), await makeBase(rooms.db)]
    const messageId = await answerOn(base.id, 'api')
    const { feedback } = rooms
    const rate = (knowledgeBaseId: string, messageId: string) =>
      feedback.give(knowledgeBaseId, { messageId, vote: 'down', comment: undefined })

    await expect(rate(base.id, 'message-1')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(rate(base.id, newTicketId())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(rate(other.id, messageId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(feedback.withdraw(base.id, 'message-1')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(feedback.withdraw(base.id, newTicketId())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(feedback.withdraw(other.id, messageId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  },
)
