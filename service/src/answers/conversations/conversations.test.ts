import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase, makeDocument, makeSource } from '../../../test/make-records.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId, newTicketId } from '../../kernel/ids.ts'
import type { Citation } from '../citations/citations.ts'
import { type AskedQuestion, type NewTurn } from './conversations.ts'

let rooms: TestRooms
beforeAll(async () => {
  // Turns of one thread are ordered by time.
  rooms = await openTestRooms({ surroundings: { now: () => new Date() } })
})
afterAll(() => rooms.close())

const citationOf = (documentId: string): Citation => ({
  index: 1,
  title: 'Keys',
  url: 'https://docs.example.com/keys',
  document_id: documentId,
  chunk_id: newId(),
  heading_path: ['Rotation'],
  excerpt: 'Keys rotate daily.',
})

const asks = (knowledgeBaseId: string, question: Partial<AskedQuestion> = {}): AskedQuestion => ({
  knowledgeBaseId,
  query: 'How often do keys rotate?',
  threadId: undefined,
  asker: { surface: 'api', clientKeyId: 'aaaaaaaa-0000-4000-8000-000000000001', userRef: undefined },
  groupIds: undefined,
  includeRestricted: false,
  ...question,
})

const turnOf = (question: AskedQuestion, turn: Partial<NewTurn> = {}): NewTurn => ({
  question,
  rewrittenQuery: undefined,
  answer: 'Keys rotate daily [1].',
  citations: [],
  covered: true,
  confidence: 0.8,
  stoppedBy: undefined,
  trace: { steps: [] },
  ...turn,
})

verifies(
  'threads.message-of-thread',
  'the last eight turns of a thread are returned oldest first',
  async () => {
    const { conversations } = rooms
    const base = await makeBase(rooms.db)
    const first = await conversations.storeTurn(turnOf(asks(base.id, { query: 'one' })))
    const threadId = first?.threadId
    for (const query of ['2', '3', '4', '5', '6', '7', '8', '9', '10']) {
      const stored = await conversations.storeTurn(turnOf(asks(base.id, { query, threadId })))
      expect(stored?.threadId).toBe(threadId)
      expect(stored?.messageId).not.toBe(first?.messageId)
    }

    const turns = await conversations.history(asks(base.id, { threadId }))

    expect(turns.map((turn) => turn.query)).toEqual(['3', '4', '5', '6', '7', '8', '9', '10'])
    expect(await conversations.history(asks(base.id))).toEqual([])
  },
)

test('the conversations of a base are counted in the deletion preview', async () => {
  const owner = await rooms.joinWorkspace()
  const { id } = await makeBase(rooms.db, { workspace: {}, base: { workspace_id: owner.workspaceId } })
  const counted = async () => (await rooms.knowledgeBases.previewDeletion(owner, id)).counts.conversations
  expect(await counted()).toBe(0)
  await rooms.conversations.storeTurn(turnOf(asks(id)))
  expect(await counted()).toBe(1)
})

verifies(
  'threads.ids',
  'ids of threads and messages are UUID v4, so that they cannot be guessed from a time',
  async () => {
    const base = await makeBase(rooms.db)
    const ids = await rooms.conversations.storeTurn(turnOf(asks(base.id)))
    expect(ids?.threadId[14]).toBe('4')
    expect(ids?.messageId[14]).toBe('4')
  },
)

test('under zero retention nothing is stored, and no ids are returned', async () => {
  const base = await makeBase(rooms.db, { workspace: { zero_data_retention: true } })
  expect(await rooms.conversations.storeTurn(turnOf(asks(base.id)))).toBeUndefined()
  const rows = await rooms.db
    .selectFrom('threads')
    .select('id')
    .where('knowledge_base_id', '=', base.id)
    .execute()
  expect(rows).toEqual([])
})

verifies(
  ['threads.bound-to-key', 'traps.thread-is-a-ticket'],
  'a thread can only be continued in its own base, and with the key that began it',
  async () => {
    const { conversations } = rooms
    const [base, other] = [await makeBase(rooms.db), await makeBase(rooms.db)]
    const stored = await conversations.storeTurn(turnOf(asks(base.id)))
    const threadId = stored?.threadId ?? ''
    const { asker } = asks(base.id)
    const own = { knowledgeBaseId: base.id, asker, threadId }
    const otherKey = { ...asker, clientKeyId: 'bbbbbbbb-0000-4000-8000-000000000002' }
    const team = { ...asker, clientKeyId: undefined }

    expect(await conversations.requireOwnThread(own)).toBe(threadId)
    expect(await conversations.ownThreadOrNone(own)).toBe(threadId)
    for (const foreign of [
      { ...own, knowledgeBaseId: other.id },
      { ...own, asker: otherKey },
      { ...own, asker: team },
      { ...own, threadId: newTicketId() },
    ]) {
      await expect(conversations.requireOwnThread(foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(await conversations.ownThreadOrNone(foreign)).toBeUndefined()
      expect(await conversations.history(asks(foreign.knowledgeBaseId, foreign))).toEqual([])
    }
  },
)

test('a malformed thread id is refused on the thread route, and ignored in a body', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const named = { knowledgeBaseId: base.id, asker: asks(base.id).asker, threadId: 'last tuesday' }
  await expect(conversations.requireOwnThread(named)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await conversations.ownThreadOrNone(named)).toBeUndefined()
})

test('a conversation of a member can only be continued by that member', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const person = (userRef: string) => ({ surface: 'team' as const, clientKeyId: undefined, userRef })
  const stored = await conversations.storeTurn(turnOf(asks(base.id, { asker: person('ann') })))
  const threadId = stored?.threadId ?? ''
  const named = { knowledgeBaseId: base.id, threadId }
  expect(await conversations.ownThreadOrNone({ ...named, asker: person('ann') })).toBe(threadId)
  expect(await conversations.ownThreadOrNone({ ...named, asker: person('bob') })).toBeUndefined()
})

test('a follow-up is not completed with the nearest pages of a question that was not covered', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const documentId = await makeDocument(rooms.db, base.id, await makeSource(rooms.db, base.id))
  const citations = [citationOf(documentId)]
  const stored = await conversations.storeTurn(turnOf(asks(base.id), { citations, covered: false }))
  const [turn] = await conversations.history(asks(base.id, { threadId: stored?.threadId }))
  expect(turn).toMatchObject({ answer: 'Keys rotate daily [1].', citedTitles: [] })
})

test('an answer based on a page that is now restricted is not repeated to a public reader', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const documentId = await makeDocument(rooms.db, base.id, await makeSource(rooms.db, base.id))
  const citations = [citationOf(documentId)]
  const stored = await conversations.storeTurn(turnOf(asks(base.id), { citations }))
  const again = asks(base.id, { threadId: stored?.threadId })
  expect(await conversations.history(again)).toMatchObject([
    { answer: 'Keys rotate daily [1].', citedTitles: ['Keys'] },
  ])

  await rooms.db
    .updateTable('documents')
    .set({ visibility: 'restricted' })
    .where('id', '=', documentId)
    .execute()

  const [turn] = await conversations.history(again)
  expect(turn?.citedTitles).toEqual([])
  expect(turn?.answer).not.toContain('daily')
  const [team] = await conversations.history({ ...again, includeRestricted: true })
  expect(team?.citedTitles).toEqual(['Keys'])
})

test('a citation of a deleted page, or of a page outside of the scope, is left out', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const group = newId()
  const sourceId = await makeSource(rooms.db, base.id, { source_group_id: group })
  const inGroup = await makeDocument(rooms.db, base.id, sourceId)
  const gone = await makeDocument(rooms.db, base.id, sourceId)
  const stored = await conversations.storeTurn(turnOf(asks(base.id), { citations: [citationOf(inGroup)] }))
  const threadId = stored?.threadId
  await conversations.storeTurn(turnOf(asks(base.id, { threadId }), { citations: [citationOf(gone)] }))
  await rooms.db.deleteFrom('documents').where('id', '=', gone).execute()

  const inScope = await conversations.history(asks(base.id, { threadId, groupIds: [group] }))
  expect(inScope.map((turn) => turn.citedTitles.length)).toEqual([1, 0])
  const outOfScope = await conversations.history(asks(base.id, { threadId, groupIds: [newId()] }))
  expect(outOfScope.map((turn) => turn.citedTitles.length)).toEqual([0, 0])
})

test('a turn with characters that the database cannot store is still stored', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const stored = await conversations.storeTurn(
    turnOf(asks(base.id, { query: 'a\0b' }), { answer: 'half \uD83D', trace: { model: 'x\0\uDE00' } }),
  )
  const [turn] = await conversations.history(asks(base.id, { threadId: stored?.threadId }))
  expect(turn).toMatchObject({ query: 'ab', answer: 'half \uFFFD' })
})

test('the origin of a message is its base, workspace and surface', async () => {
  const { conversations } = rooms
  const base = await makeBase(rooms.db)
  const stored = await conversations.storeTurn(turnOf(asks(base.id)))
  expect(await conversations.originOfMessage(stored?.messageId ?? '')).toEqual({
    knowledgeBaseId: base.id,
    workspaceId: base.workspaceId,
    surface: 'api',
  })
  expect(await conversations.originOfMessage(newTicketId())).toBeUndefined()
})

test('an answer whose conversation was deleted while it was written is not stored', async () => {
  const { conversations, db } = rooms
  const base = await makeBase(db)
  const first = await conversations.storeTurn(turnOf(asks(base.id, { query: 'My name is Ada' })))
  const threadId = first?.threadId
  const earlier = await conversations.history(asks(base.id, { threadId }))
  const next = turnOf(asks(base.id, { query: 'And then?', threadId }), {
    rewrittenQuery: 'And then, Ada?',
    trace: { earlier, rewrittenQuery: 'And then, Ada?', steps: [], totalMs: 7 },
  })
  await conversations.storeTurn(next)
  const keptOf = async () =>
    await db
      .selectFrom('messages')
      .select(['query', 'rewritten_query', 'trace', 'total_ms'])
      .where('knowledge_base_id', '=', base.id)
      .orderBy('created_at')
      .execute()
  expect(JSON.stringify((await keptOf())[1])).toContain('My name is Ada')
  await db.deleteFrom('threads').where('knowledge_base_id', '=', base.id).execute()

  expect(await conversations.storeTurn(next)).toBeUndefined()
  expect(await keptOf()).toEqual([])
  expect(
    await db
      .selectFrom('threads')
      .select('id')
      .where('id', '=', threadId ?? '')
      .execute(),
  ).toEqual([])
})
