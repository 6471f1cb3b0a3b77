import type { Conversation, ConversationSummary } from '@citewell/contract/conversations'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

interface Page {
  data: ConversationSummary[]
  next_cursor: string | null
}

const makeBase = async () =>
  (await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })).id

const listed = async (base: string, query = '') =>
  await api.ask<Page>('GET', `/knowledge-bases/${base}/conversations${query}`)

const queriesIn = async (base: string, query: string) =>
  (await listed(base, query)).data.map(({ first_query }) => first_query).toSorted()

verifies(
  ['conversations.list', 'conversations.record'],
  'conversations are listed newest first, with a summary of each',
  async () => {
    const base = await makeBase()
    const { threadId } = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'one',
      user: 'ann',
      surface: 'widget',
      vote: 'up',
    })
    await keep(base, { at: '2026-03-03T10:00:00Z', query: 'two', covered: false })
    await keep(base, { at: '2026-03-04T10:00:00Z', query: 'and one more', threadId, vote: 'down' })

    const { data, next_cursor } = await listed(base)

    expect(data.map(({ first_query }) => first_query)).toEqual(['two', 'one'])
    expect(data[1]).toEqual({
      id: threadId,
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-04T10:00:00.000Z',
      knowledge_base_id: base,
      surface: 'widget',
      user: 'ann',
      client_key_id: expect.any(String),
      first_query: 'one',
      message_count: 2,
      covered: true,
      ratings: { up: 1, down: 1 },
    })
    expect(next_cursor).toBeNull()
  },
)

verifies(
  'conversations.cursor',
  'pages follow each other without gap or repetition, even if conversations start and are deleted meanwhile, and some have the same time',
  async () => {
    const base = await makeBase()
    const ids: string[] = []
    for (const at of ['01', '02', '02', '02', '03']) {
      ids.push((await keep(base, { at: `2026-03-${at}T10:00:00Z`, query: at })).threadId)
    }
    const first = await listed(base, '?limit=2')
    await keep(base, { at: '2026-03-09T10:00:00Z', query: 'new' })
    await api.send('DELETE', `/conversations/${first.data[1]?.id}`)

    const second = await listed(base, `?limit=2&cursor=${first.next_cursor}`)
    const third = await listed(base, `?limit=2&cursor=${second.next_cursor}`)

    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id))
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(third.next_cursor).toBeNull()
    const broken = await api.send('GET', `/knowledge-bases/${base}/conversations?cursor=next`)
    expect(broken).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: [{ path: 'cursor' }] },
    })
  },
)

verifies(
  [
    'conversations.filter-surface',
    'conversations.filter-rating',
    'conversations.filter-covered',
    'conversations.filter-dates',
    'conversations.filter-text',
    'conversations.filter-user',
  ],
  'the list is filtered by surface, rating, covered, dates, words and reader, in any combination',
  async () => {
    const base = await makeBase()
    await keep(base, { at: '2026-03-02T00:00:00Z', query: 'rotating keys', surface: 'api', vote: 'up' })
    await keep(base, { at: '2026-03-03T23:59:59Z', query: 'b', covered: false, answer: 'No.', user: 'ann' })
    await keep(base, { at: '2026-03-04T00:00:00Z', query: 'c', surface: 'team', vote: 'down', answer: 'So.' })
    await keep(base, { at: '2026-03-05T00:00:00Z', query: 'd', stoppedBy: 'cancelled', answer: 'A foo_bar' })
    const { threadId } = await keep(base, { at: '2026-03-06T00:00:00Z', query: 'e', answer: 'E.' })
    await keep(base, {
      at: '2026-03-06T00:01:00Z',
      query: 'e2',
      threadId,
      covered: false,
      answer: 'The key is lost.',
    })

    expect(await queriesIn(base, '?surface=team')).toEqual(['c'])
    expect(await queriesIn(base, '?rating=up')).toEqual(['rotating keys'])
    expect(await queriesIn(base, '?rating=down')).toEqual(['c'])
    expect(await queriesIn(base, '?covered=true')).toEqual(['c', 'rotating keys'])
    expect(await queriesIn(base, '?covered=false')).toEqual(['b', 'e'])
    expect(await queriesIn(base, '?from=2026-03-03&to=2026-03-03')).toEqual(['b'])
    expect(await queriesIn(base, '?from=2026-03-04T00:00:00Z&to=2026-03-05T00:00:00Z')).toEqual(['c'])
    expect(await queriesIn(base, '?text=rotate%20a%20key')).toEqual(['rotating keys'])
    expect(await queriesIn(base, '?text=keys')).toEqual(['e', 'rotating keys'])
    expect(await queriesIn(base, '?text=foo_bar')).toEqual(['d'])
    expect(await queriesIn(base, '?user=ann')).toEqual(['b'])
    expect(await queriesIn(base, '?user=ann&covered=true')).toEqual([])
    expect(await queriesIn(base, '?text=keys&covered=false&from=2026-03-06')).toEqual(['e'])
    for (const query of [
      '?from=2026-03-05&to=2026-03-04',
      '?from=tuesday',
      '?covered=maybe',
      '?surface=fax',
    ]) {
      const refused = await api.send('GET', `/knowledge-bases/${base}/conversations${query}`)
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
  },
)

verifies(
  'conversations.get',
  'a conversation is read with every question, answer, citation, rating and time',
  async () => {
    const base = await makeBase()
    const document = await makeDocument(api.db, base, await makeSource(api.db, base))
    const { threadId, messageId } = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'How often do keys rotate?',
      cites: [document],
      vote: 'down',
      comment: 'Not what I asked.',
      firstMs: 120.5,
      totalMs: 480,
    })
    await keep(base, { at: '2026-03-02T10:01:00Z', query: 'And?', threadId, stoppedBy: 'cancelled' })

    const conversation = await api.ask<Conversation>('GET', `/conversations/${threadId}`)

    expect(conversation).toMatchObject({ id: threadId, message_count: 2, ratings: { up: 0, down: 1 } })
    expect(conversation.messages[0]).toEqual({
      id: messageId,
      created_at: '2026-03-02T10:00:00.000Z',
      updated_at: '2026-03-02T10:00:00.000Z',
      conversation_id: threadId,
      query: 'How often do keys rotate?',
      rewritten_query: null,
      answer: 'Keys rotate daily [1].',
      citations: [
        expect.objectContaining({ index: 1, document_id: document, excerpt: 'Keys rotate daily.' }),
      ],
      withheld: false,
      covered: true,
      confidence: expect.closeTo(0.8),
      stopped_by: null,
      rating: {
        vote: 'down',
        comment: 'Not what I asked.',
        created_at: '2026-03-02T10:00:00.000Z',
        updated_at: '2026-03-02T10:00:00.000Z',
      },
      first_ms: 120.5,
      total_ms: 480,
    })
    expect(conversation.messages[1]).toMatchObject({ query: 'And?', stopped_by: 'cancelled', rating: null })
  },
)

verifies(
  ['conversations.delete', 'analytics.forgotten'],
  'deleting a conversation deletes its messages, ratings and traces, and removes it from the analytics, and leaves the others; on an archived base too',
  async () => {
    const base = await makeBase()
    const other = await keep(base, { at: '2026-03-10T10:00:00Z', query: 'stays', vote: 'up' })
    const elsewhere = await makeBase()
    await keep(elsewhere, { at: '2026-03-02T10:00:00Z', query: 'stays too' })
    const { threadId, messageId } = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'gone',
      covered: false,
      vote: 'down',
    })
    await api.ask('GET', `/knowledge-bases/${base}/analytics?from=2026-03-01&to=2026-03-03`)
    await api.send('POST', `/knowledge-bases/${base}/archive`)

    expect((await api.send('DELETE', `/conversations/${threadId}`)).status).toBe(204)

    expect((await api.send('GET', `/conversations/${threadId}`)).status).toBe(404)
    expect((await api.send('DELETE', `/conversations/${threadId}`)).status).toBe(404)
    expect((await api.send('GET', `/messages/${messageId}/trace`)).status).toBe(404)
    expect((await listed(base)).data).toMatchObject([{ id: other.threadId, ratings: { up: 1, down: 0 } }])
    expect((await api.send('GET', `/messages/${other.messageId}/trace`)).status).toBe(200)
    expect(await queriesIn(elsewhere, '')).toEqual(['stays too'])
    const rows = await api.db
      .selectFrom('feedback')
      .select('id')
      .where('message_id', '=', messageId)
      .execute()
    expect(rows).toEqual([])
    const analytics = await api.ask('GET', `/knowledge-bases/${base}/analytics?from=2026-03-01&to=2026-03-03`)
    expect(analytics).toMatchObject({
      totals: { questions: 0, ratings: { down: 0 } },
      top_questions: [],
      knowledge_gaps: [],
    })
  },
)

test('stop words do not filter the list', async () => {
  const base = await makeBase()
  await keep(base, { query: 'only one' })
  expect(await queriesIn(base, '?text=how%20is%20the')).toEqual(['only one'])
})

test('dates of any year find what lies between them, and a cursor has a time that can be stored', async () => {
  const base = await makeBase()
  await keep(base, { at: '2026-03-02T10:00:00Z', query: 'only one' })
  expect(await queriesIn(base, '?from=0000-01-01&to=9999-12-31')).toEqual(['only one'])
  expect(await queriesIn(base, '?to=0000-01-01')).toEqual([])
  expect(await queriesIn(base, '?from=9999-12-31T23:59:59.999Z&to=9999-12-31')).toEqual([])
  for (const time of ['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z']) {
    const cursor = Buffer.from(`${time} ${newId()}`).toString('base64url')
    for (const list of ['conversations', 'feedback', 'traces', 'reports']) {
      const refused = await api.send('GET', `/knowledge-bases/${base}/${list}?cursor=${cursor}`)
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'cursor' }] } })
    }
  }
})

test('a reader whose name is kept as a pseudonym is found by the name', async () => {
  const base = await makeBase()
  await keep(base, { query: 'hers', user: api.service.platform.pseudonymOf('ada@example.com') })
  await keep(base, { query: 'of bob', user: 'bob@example.com' })
  expect(await queriesIn(base, '?user=ada@example.com')).toEqual(['hers'])
  expect(await queriesIn(base, '?user=bob@example.com')).toEqual(['of bob'])
  const path = `/knowledge-bases/${base}/conversations/export?format=ndjson&user=Ada@example.com`
  const file = await (await api.fetch('GET', path)).text()
  expect(JSON.parse(file)).toMatchObject({ question: 'hers', user: expect.stringMatching(/^masked-/) })
})
