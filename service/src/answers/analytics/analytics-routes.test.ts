import type { Analytics } from '@citewell/contract/analytics'
import { verifies } from '@citewell/spec/verifies'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

const makeBase = async () =>
  (await api.ask<{ id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })).id

const analyticsOf = async (base: string, query = '?from=2026-03-02&to=2026-03-04') =>
  await api.ask<Analytics>('GET', `/knowledge-bases/${base}/analytics${query}`)

verifies(
  ['analytics.range', 'analytics.by-day-and-surface', 'analytics.covered-rate', 'analytics.ratings'],
  'questions are counted by day and surface, with the share that was covered and the ratings',
  async () => {
    const base = await makeBase()
    await keep(base, { at: '2026-03-01T23:59:59.999Z', query: 'before', covered: false })
    await keep(base, { at: '2026-03-02T00:00:00Z', query: 'first', surface: 'widget', vote: 'up' })
    await keep(base, { at: '2026-03-02T12:00:00Z', query: 'left', stoppedBy: 'cancelled', covered: false })
    await keep(base, { at: '2026-03-04T23:59:59.999Z', query: 'last', covered: false, vote: 'down' })
    const again = await keep(base, { query: 'and', vote: 'down' })
    await again.feedback.give(base, { messageId: again.messageId, vote: 'up', comment: undefined })
    const withdrawn = await keep(base, { query: 'or', vote: 'down' })
    await withdrawn.feedback.withdraw(base, withdrawn.messageId)
    await keep(base, { at: '2026-03-05T00:00:00Z', query: 'after', covered: false })

    const { totals, before, days, surfaces, ...analytics } = await analyticsOf(base)

    expect(analytics).toMatchObject({ from: '2026-03-02', to: '2026-03-04' })
    expect(totals).toMatchObject({
      questions: 5,
      conversations: 5,
      finished: 4,
      not_covered: 1,
      covered_rate: 0.75,
      ratings: { up: 2, down: 1, up_rate: 0.667 },
    })
    expect(before).toMatchObject({ questions: 1, covered_rate: 0 })
    expect(days.map(({ day, questions, by_surface }) => [day, questions, by_surface])).toEqual([
      ['2026-03-02', 2, { api: 1, widget: 1 }],
      ['2026-03-03', 0, { api: 0, widget: 0 }],
      ['2026-03-04', 3, { api: 3, widget: 0 }],
    ])
    // What the reader stopped is neither covered nor not covered.
    expect(days[0]).toMatchObject({ questions: 2, finished: 1, not_covered: 0, covered_rate: 1 })
    expect(days[2]).toMatchObject({
      finished: 3,
      covered_rate: 0.667,
      not_covered: 1,
      ratings: { up: 1, down: 1 },
    })
    expect(
      surfaces.map(({ surface, questions, finished, covered_rate: rate }) => [
        surface,
        questions,
        finished,
        rate,
      ]),
    ).toEqual([
      ['api', 4, 3, 0.667],
      ['widget', 1, 1, 1],
    ])
  },
)

verifies(
  ['analytics.range', 'analytics.range-refused'],
  'a range defaults to the last thirty days; one that ends before it begins, or is too long, is refused',
  async () => {
    const base = await makeBase()
    api.clock.time = new Date('2026-03-09T23:30:00Z')
    expect(await analyticsOf(base, '')).toMatchObject({ from: '2026-02-08', to: '2026-03-09' })
    expect((await analyticsOf(base, '?from=2025-03-10&to=2026-03-09')).days).toHaveLength(365)
    for (const query of [
      '?from=2026-03-04&to=2026-03-03',
      '?from=2024-03-04&to=2026-03-03',
      '?from=2026-02-30',
      '?to=today',
    ]) {
      const refused = await api.send('GET', `/knowledge-bases/${base}/analytics${query}`)
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
  },
)

verifies('analytics.empty-range', 'a range without questions has zero counts and null rates', async () => {
  const analytics = await analyticsOf(await makeBase())

  const none = {
    questions: 0,
    finished: 0,
    not_covered: 0,
    covered_rate: null,
    ratings: { up: 0, down: 0, up_rate: null },
  }
  const times = { p50: null, p95: null }
  expect(analytics).toMatchObject({
    totals: { ...none, conversations: 0, first_ms: times, total_ms: times },
    days: [
      { day: '2026-03-02', ...none, by_surface: {} },
      { day: '2026-03-03', ...none },
      { day: '2026-03-04', ...none },
    ],
    surfaces: [],
    top_questions: [],
    top_pages: [],
    knowledge_gaps: [],
    deflection: { answered: 0, deflected: 0, submitted: 0, deflection_rate: null },
  })
})

verifies('analytics.latency', 'response times are reported as the 50th and 95th percentile', async () => {
  const base = await makeBase()
  for (const tenth of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
    await keep(base, { at: '2026-03-02T10:00:00Z', query: 'q', firstMs: tenth * 10, totalMs: tenth * 100 })
  }
  await keep(base, { query: 'failed before anything was said', stoppedBy: 'timeout' })

  const { totals } = await analyticsOf(base)

  expect(totals.first_ms).toEqual({ p50: 60, p95: 105 })
  expect(totals.total_ms).toEqual({ p50: 600, p95: 1_050 })
})

verifies(
  ['analytics.top-questions', 'analytics.repeatable'],
  'a question asked in different words is counted as one, labelled with its most central wording',
  async () => {
    const base = await makeBase()
    const day = (minute: number) => `2026-03-02T10:0${minute}:00Z`
    await keep(base, { at: day(1), query: 'How do I rotate a signing key?' })
    await keep(base, { at: day(2), query: 'how do i rotate a signing key', vote: 'down' })
    await keep(base, { at: day(3), query: 'Rotating signing keys by hand?', covered: false })
    await keep(base, { at: day(4), query: 'Where are invoices sent?' })

    const { top_questions: top } = await analyticsOf(base)

    expect(top).toMatchObject([
      {
        label: 'how do i rotate a signing key',
        count: 3,
        not_covered: 1,
        ratings: { up: 0, down: 1 },
        last_asked_at: '2026-03-02T10:03:00.000Z',
        examples: ['Rotating signing keys by hand?'],
      },
      { label: 'Where are invoices sent?', count: 1 },
    ])
    expect((await analyticsOf(base)).top_questions).toEqual(top)
  },
)

verifies(
  'analytics.top-questions',
  'a question is shown in its reader’s words, whatever was searched for, and a follow-up with what it is about',
  async () => {
    const base = await makeBase()
    const foreign = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'Wie kann ich Keys rotieren?',
      rewrittenQuery: 'Keys rotieren?',
    })
    await keep(base, {
      at: '2026-03-02T10:01:00Z',
      query: 'And how long is the old one valid?',
      rewrittenQuery: 'And how long is the old one valid? signing keys',
      threadId: foreign.threadId,
    })

    const { top_questions: top } = await analyticsOf(base)

    expect(top.map(({ label }) => label).toSorted()).toEqual([
      'And how long is the old one valid? (signing keys)',
      'Wie kann ich Keys rotieren?',
    ])
  },
)

verifies(
  'analytics.top-pages',
  'the most cited pages are listed, without deleted ones and those near to a refusal',
  async () => {
    const base = await makeBase()
    const source = await makeSource(api.db, base)
    const [keys, limits, gone] = [
      await makeDocument(api.db, base, source, { title: 'Keys' }),
      await makeDocument(api.db, base, source, { title: 'Limits' }),
      await makeDocument(api.db, base, source, { title: 'Gone' }),
    ]
    await keep(base, { at: '2026-03-02T10:00:00Z', query: 'a', cites: [keys, keys, limits], vote: 'down' })
    await keep(base, { query: 'b', cites: [keys, gone] })
    await keep(base, { query: 'c', cites: [limits], covered: false })
    await api.db.deleteFrom('documents').where('id', '=', gone).execute()

    const { top_pages: pages } = await analyticsOf(base)

    expect(pages.map(({ title, answers, rated_down }) => [title, answers, rated_down])).toEqual([
      ['Keys', 2, 1],
      ['Limits', 1, 1],
    ])
  },
)

verifies(
  ['analytics.knowledge-gaps', 'analytics.down-rated-are-gaps', 'analytics.by-meaning'],
  'questions that were not covered or rated down are grouped by topic, by their words if there is no embedding model',
  async () => {
    const base = await makeBase()
    const at = '2026-03-03T10:00:00Z'
    const first = await keep(base, { at, query: 'Can I install on Kubernetes?', covered: false })
    const last = await keep(base, {
      at: '2026-03-03T11:00:00Z',
      query: 'Is there a Kubernetes install guide?',
      vote: 'down',
      comment: 'This was about Docker.',
    })
    await keep(base, { query: 'How are invoices paid?', covered: false, stoppedBy: 'timeout' })
    await keep(base, { query: 'What is a key?', vote: 'up' })
    await keep(base, { at: '2026-03-04T10:00:00Z', query: 'Do you support SAML?', covered: false })

    const { knowledge_gaps: gaps, bounds } = await analyticsOf(base)

    expect(gaps).toMatchObject([
      {
        count: 2,
        not_covered: 1,
        rated_down: 1,
        first_asked_at: '2026-03-03T10:00:00.000Z',
        last_asked_at: '2026-03-03T11:00:00.000Z',
        message_ids: [last.messageId, first.messageId],
      },
      { label: 'Do you support SAML?', count: 1, not_covered: 1, rated_down: 0 },
    ])
    expect(gaps[0]?.label).toMatch(/Kubernetes/)
    expect(gaps[0]?.examples).toContainEqual({
      message_id: last.messageId,
      conversation_id: last.threadId,
      query: 'Is there a Kubernetes install guide?',
      covered: true,
      vote: 'down',
      comment: 'This was about Docker.',
      asked_at: '2026-03-03T11:00:00.000Z',
    })
    expect(bounds).toMatchObject({ grouped_gaps: 3, all_gaps: true, compared_by: 'words' })
  },
)

verifies('analytics.deflection', 'the share of deflected support forms is reported', async () => {
  const base = await makeBase()
  for (const outcome of ['deflected', 'deflected', 'submitted', null] as const) {
    const { threadId } = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'q',
      surface: 'form_deflector',
    })
    const times = { created_at: api.clock.time, updated_at: api.clock.time }
    const deflection = {
      form_deflector_id: null,
      client_key_id: threadId,
      answered: true,
      confidence: 0.9,
      outcome,
    }
    await api.db
      .insertInto('deflections')
      .values({ knowledge_base_id: base, conversation_id: threadId, ...deflection, ...times })
      .execute()
  }
  expect((await analyticsOf(base)).deflection).toEqual({
    answered: 4,
    deflected: 2,
    submitted: 1,
    deflection_rate: 0.667,
  })
})

verifies(
  'analytics.bounds',
  'only the last thousand questions are grouped, and the response says so',
  async () => {
    const base = await makeBase()
    const { threadId } = await keep(base, {
      at: '2026-03-02T10:00:00Z',
      query: 'the first of all',
      covered: false,
    })
    await sql`
      insert into messages (knowledge_base_id, id, thread_id, query, answer, citations, covered, confidence, trace, created_at, updated_at)
      select knowledge_base_id, gen_random_uuid(), thread_id, 'again and again', answer, citations, covered, confidence, trace,
        '2026-03-03T10:00:00Z', updated_at
      from messages, generate_series(1, 1000) where thread_id = ${threadId}`.execute(api.db)

    const { totals, bounds, knowledge_gaps: gaps } = await analyticsOf(base)

    expect(totals.questions).toBe(1_001)
    expect(bounds).toMatchObject({ grouped_questions: 1_000, all_questions: false, all_gaps: false })
    expect(gaps).toMatchObject([{ label: 'again and again', count: 1_000 }])
    expect(gaps[0]?.message_ids).toHaveLength(50)
  },
)

test('a range may reach the last day that there is, and not before the first', async () => {
  const base = await makeBase()
  for (const path of ['analytics', 'knowledge-gaps']) {
    const last = await api.ask('GET', `/knowledge-bases/${base}/${path}?from=9999-12-30&to=9999-12-31`)
    expect(last).toMatchObject({ from: '9999-12-30', to: '9999-12-31' })
    const first = await api.ask('GET', `/knowledge-bases/${base}/${path}?from=0001-01-01&to=0001-01-02`)
    expect(first).toMatchObject({ from: '0001-01-01', to: '0001-01-02' })
    for (const query of ['?from=0000-12-31&to=0001-01-02', '?to=0001-01-02']) {
      const refused = await api.send('GET', `/knowledge-bases/${base}/${path}${query}`)
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
  }
})

test('the figures of an answer agree with each other while questions are asked', async () => {
  const base = await makeBase()
  for (let count = 0; count < 20; count += 1)
    await keep(base, { at: '2026-03-02T10:00:00Z', query: `q${count}` })
  const reading = { isDone: false }
  const read = analyticsOf(base).finally(() => {
    reading.isDone = true
  })
  while (!reading.isDone) await keep(base, { query: 'meanwhile' })

  const { totals, days, surfaces } = await read

  const sumOf = (all: readonly { questions: number }[]) =>
    all.reduce((sum, { questions }) => sum + questions, 0)
  expect([sumOf(days), sumOf(surfaces)]).toEqual([totals.questions, totals.questions])
})
