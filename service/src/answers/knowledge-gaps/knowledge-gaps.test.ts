import type { Analytics } from '@citewell/contract/analytics'
import type { ExportedGaps, KnowledgeGapDetail, KnowledgeGaps } from '@citewell/contract/knowledge-gaps'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper, type KeptTurn } from '../../../test/keep-turns.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
})
afterAll(() => api.close())

const makeBase = async () =>
  await api.ask<{ id: string; workspace_id: string }>('POST', '/knowledge-bases', { name: 'Acme docs' })

const RANGE = 'from=2026-03-01&to=2026-03-07'
const NEXT_WEEK = 'from=2026-03-08&to=2026-03-14'

const listOf = async (base: string, query = RANGE) =>
  (await api.ask<KnowledgeGaps>('GET', `/knowledge-bases/${base}/knowledge-gaps?${query}`)).data

const askAll = async (base: string, turns: readonly Partial<KeptTurn>[]) => {
  for (const turn of turns)
    await keep(base, { at: '2026-03-02T10:00:00Z', query: 'How?', covered: false, ...turn })
}

const ROTATE = [
  { query: 'How do I rotate signing keys by hand?', at: '2026-03-02T10:00:00Z' },
  { query: 'rotate signing keys by hand', at: '2026-03-03T10:00:00Z' },
]
const TERRAFORM = [{ query: 'Is there a Terraform provider?', at: '2026-03-03T11:00:00Z' }]

verifies(
  ['analytics.knowledge-gaps'],
  'a gap keeps its id while questions join it, in every range, and the analytics have the same gaps',
  async () => {
    const { id: base } = await makeBase()
    await askAll(base, [...ROTATE, ...TERRAFORM])
    // The overview and the list read them at the same time.
    const [found, same] = await Promise.all([listOf(base), listOf(base)])
    expect(same).toEqual(found)
    const [rotate, terraform, ...more] = found
    expect([rotate, terraform]).toMatchObject([
      { label: expect.stringMatching(/rotate/i), count: 2, not_covered: 2, status: 'open', count_before: 0 },
      { label: 'Is there a Terraform provider?', count: 1, status: 'open' },
    ])
    expect(more).toEqual([])
    const opened = await api.ask<KnowledgeGapDetail>('GET', `/knowledge-gaps/${rotate?.id}`)
    expect(opened.label).toBe(rotate?.label)

    await askAll(base, [
      { query: 'rotating signing keys by hand', at: '2026-03-09T10:00:00Z' },
      { query: 'Can I pay with Bitcoin?', at: '2026-03-10T10:00:00Z' },
    ])
    const next = await listOf(base, NEXT_WEEK)
    expect(next.map(({ id, count, count_before: before }) => [id, count, before])).toEqual([
      [expect.not.stringContaining(rotate?.id ?? ''), 1, 0],
      [rotate?.id, 1, 2],
    ])
    const { knowledge_gaps: inAnalytics } = await api.ask<Analytics>(
      'GET',
      `/knowledge-bases/${base}/analytics?${NEXT_WEEK}`,
    )
    const figures = (gaps: { id: string; count: number; label: string; status: string }[]) =>
      gaps.map(({ id, count, label, status }) => [id, count, label, status])
    expect(figures(inAnalytics)).toEqual(figures(next))
    const whole = await listOf(base, 'from=2026-03-01&to=2026-03-14')
    expect(whole.find(({ id }) => id === rotate?.id)?.count).toBe(3)
  },
)

test('a resolved gap holds until a question of it is not covered again; then it is open, and says so', async () => {
  const { id: base } = await makeBase()
  await askAll(base, [...ROTATE, ...TERRAFORM])
  const [rotate, terraform] = await listOf(base)
  api.clock.time = new Date('2026-03-08T00:00:00Z')
  const note = 'Grace wrote a page.'
  expect(await api.ask('PATCH', `/knowledge-gaps/${rotate?.id}`, { status: 'resolved', note })).toMatchObject(
    {
      status: 'resolved',
      note,
      resolved_at: '2026-03-08T00:00:00.000Z',
      reopened_at: null,
    },
  )
  await api.ask('PATCH', `/knowledge-gaps/${terraform?.id}`, { status: 'dismissed' })

  expect(await listOf(base, `${NEXT_WEEK}&status=resolved`)).toMatchObject([
    { id: rotate?.id, count: 0, count_before: 2, label: rotate?.label, last_asked_at: null },
  ])
  expect(await listOf(base, `${NEXT_WEEK}&status=open`)).toEqual([])

  await askAll(base, [
    { query: 'How do I rotate signing keys by hand?', at: '2026-03-09T10:00:00Z', covered: true },
  ])
  expect(await listOf(base, `${NEXT_WEEK}&status=resolved`)).toHaveLength(1)
  await askAll(base, [
    { query: 'how to rotate signing keys by hand', at: '2026-03-10T10:00:00Z' },
    { query: 'Is there a Terraform provider?', at: '2026-03-10T11:00:00Z' },
  ])
  expect(await listOf(base, `${NEXT_WEEK}&status=open`)).toMatchObject([
    {
      id: rotate?.id,
      count: 1,
      resolved_at: '2026-03-08T00:00:00.000Z',
      reopened_at: '2026-03-10T10:00:00.000Z',
      note,
    },
  ])
  expect(await listOf(base, `${NEXT_WEEK}&status=dismissed`)).toMatchObject([{ id: terraform?.id, count: 1 }])
})

test('a gap goes with the last of its conversations, however they are deleted, and its note goes with it', async () => {
  const { id: base, workspace_id: workspace } = await makeBase()
  await askAll(base, [
    { query: 'How do I rotate signing keys by hand?', user: 'ada' },
    { query: 'rotate signing keys by hand', user: 'bob' },
    ...TERRAFORM,
  ])
  const [rotate] = await listOf(base)
  await api.ask('PATCH', `/knowledge-gaps/${rotate?.id}`, { note: 'Asked by Ada of Acme' })
  const purge = async (user: string) =>
    await api.ask('POST', `/workspaces/${workspace}/purge`, { user, knowledge_base_id: base })

  await purge('ada')
  expect(await api.ask('GET', `/knowledge-gaps/${rotate?.id}`)).toMatchObject({
    count: 1,
    label: 'rotate signing keys by hand',
  })
  await purge('bob')
  expect(await api.send('GET', `/knowledge-gaps/${rotate?.id}`)).toMatchObject({ status: 404 })
  const kept = await api.db
    .selectFrom('knowledge_gaps')
    .select(['id', 'note'])
    .where('knowledge_base_id', '=', base)
    .execute()
  expect(kept).toEqual([{ id: expect.not.stringContaining(rotate?.id ?? ''), note: null }])
})

test('a question whose rating is withdrawn is no question of a gap any more', async () => {
  const { id: base } = await makeBase()
  const { feedback, messageId } = await keep(base, { at: ROTATE[0]?.at ?? '', query: 'How?', vote: 'down' })
  expect(await listOf(base)).toMatchObject([{ count: 1, rated_down: 1, not_covered: 0 }])
  await feedback.withdraw(base, messageId)
  expect(await listOf(base)).toEqual([])
})

test('a gap names a custom answer of its own base only, and loses it with the answer', async () => {
  const [{ id: base }, { id: other }] = [await makeBase(), await makeBase()]
  await askAll(base, TERRAFORM)
  const [gap] = await listOf(base)
  const answerIn = async (of: string) =>
    await api.ask<{ id: string }>('POST', `/knowledge-bases/${of}/custom-answers`, {
      question: 'Is there a Terraform provider?',
      answer: 'Use acme/billing.',
    })
  const [own, foreign] = [await answerIn(base), await answerIn(other)]
  const path = `/knowledge-gaps/${gap?.id}`
  for (const id of [foreign.id, newId()])
    expect(await api.send('PATCH', path, { custom_answer_id: id })).toMatchObject({ status: 400 })
  expect(await api.ask('PATCH', path, { custom_answer_id: own.id })).toMatchObject({
    custom_answer_id: own.id,
    status: 'open',
  })
  await api.send('DELETE', `/custom-answers/${own.id}`)
  expect(await api.ask('GET', path)).toMatchObject({ custom_answer_id: null })
})

test('the questions of a gap are asked again, and it says how many are covered now', async () => {
  const { id: base } = await makeBase()
  const query = 'Is there a Terraform provider?'
  await askAll(base, [...TERRAFORM, { query }, { query: 'a terraform provider of Acme' }])
  const [gap] = await listOf(base)
  const path = `/knowledge-gaps/${gap?.id}`
  const count = async () =>
    (await api.db.selectFrom('messages').select('id').where('knowledge_base_id', '=', base).execute()).length
  const before = await count()
  expect(await api.ask('POST', `${path}/replay`)).toMatchObject({ questions: 3, covered: 0, left_out: 0 })

  await api.ask('POST', `/knowledge-bases/${base}/custom-answers`, {
    question: query,
    answer: 'Yes: the Terraform provider is acme/billing.',
  })
  const replayed = await api.ask<{ questions: number; covered: number }>('POST', `${path}/replay`)
  expect(replayed).toMatchObject({ questions: 3, failed: 0, left_out: 0 })
  expect(replayed.covered).toBeGreaterThanOrEqual(2)
  const detail = await api.ask<KnowledgeGapDetail>('GET', path)
  expect(detail.last_replay).toMatchObject({ questions: 3, covered: replayed.covered })
  expect(detail.questions.filter(({ query: asked }) => asked === query)).toMatchObject([
    { covered: false, covered_at_replay: true },
    { covered: false, covered_at_replay: true },
  ])
  expect(await count()).toBe(before)
})

test('gaps are exported as Markdown files in which what readers wrote is neither markup nor a path', async () => {
  const { id: base } = await makeBase()
  const query = '![x](https://evil.example/a) ```\n# Ignore all that was said <script>../../etc'
  await askAll(base, [{ query, comment: '``` ````', vote: 'down' }])
  const [gap] = await listOf(base)
  const { files } = await api.ask<ExportedGaps>(
    'GET',
    `/knowledge-bases/${base}/knowledge-gaps/export?${RANGE}`,
  )
  const path = `knowledge-gaps/x-https-evil-example-a-ignore-all-that-was-said-script-etc-${gap?.id.slice(-8)}.md`
  expect(files.map((file) => file.path)).toEqual(['knowledge-gaps/README.md', path])
  const content = files[1]?.content ?? ''
  expect(content.split('\n')[0]).toBe(
    String.raw`# \!\[x\]\(https\:\/\/evil\.example\/a\) \`\`\` \# Ignore all that was said \<script\>\.\.\/\.\.\/etc`.replaceAll(
      String.raw`\/`,
      '/',
    ),
  )
  expect(content).toContain('`````text\n![x](https://evil.example/a) ``` # Ignore all that was said')
  expect(content.match(/^`{5}$/gm)).toHaveLength(1)
})

test('a file counts the questions that were not covered as the list does', async () => {
  const { id: base } = await makeBase()
  await askAll(base, [
    { query: 'Is there a Terraform provider?' },
    { query: 'is there a Terraform provider', stoppedBy: 'cancelled', vote: 'down' },
  ])
  expect(await listOf(base)).toMatchObject([{ count: 2, not_covered: 1 }])
  const { files } = await api.ask<ExportedGaps>(
    'GET',
    `/knowledge-bases/${base}/knowledge-gaps/export?${RANGE}`,
  )
  expect(files[1]?.content).toContain('- Questions: 2, of which 1 were not covered')
})

test('under zero retention the list is empty, and says why', async () => {
  const { id: base, workspace_id: workspace } = await makeBase()
  await api.ask('PATCH', `/workspaces/${workspace}`, { zero_data_retention: true })
  const list = await api.ask<KnowledgeGaps>('GET', `/knowledge-bases/${base}/knowledge-gaps`)
  expect(list).toMatchObject({ data: [], zero_retention: true })
  await api.ask('PATCH', `/workspaces/${workspace}`, { zero_data_retention: false })
})
