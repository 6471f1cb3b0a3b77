import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTurnKeeper } from '../../../test/keep-turns.ts'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import { parseCsv } from '../../kernel/csv.ts'

let api: TestManagement
let keep: ReturnType<typeof createTurnKeeper>
let base: string
let workspace: string
beforeAll(async () => {
  api = await openTestManagement()
  keep = createTurnKeeper(api)
  const made = await api.ask<{ id: string; workspace_id: string }>('POST', '/knowledge-bases', {
    name: 'Acme',
  })
  base = made.id
  workspace = made.workspace_id
  const page = await makeDocument(api.db, base, await makeSource(api.db, base))
  await keep(base, { at: '2026-03-02T10:00:00Z', query: 'first', cites: [page], vote: 'up', user: 'ada' })
  await keep(base, {
    at: '2026-03-03T10:00:00Z',
    query: '=cmd|"/c calc"!A1',
    answer: 'Not "covered",\nsadly.',
    covered: false,
    surface: 'widget',
    vote: 'down',
    comment: '@here',
  })
  await keep(base, { at: '2026-03-03T11:00:00Z', query: 'stopped', stoppedBy: 'cancelled' })
})
afterAll(() => api.close())

async function download(path: string) {
  const response = await api.fetch('GET', path)
  return { response, text: await response.text() }
}

test('conversations are exported as CSV in which no text is a formula, and as JSON lines', async () => {
  const { response, text } = await download(`/knowledge-bases/${base}/conversations/export`)
  expect([
    response.headers.get('content-type'),
    response.headers.get('x-citewell-truncated'),
    response.headers.get('cache-control'),
  ]).toEqual(['text/csv; charset=utf-8', 'false', 'no-store'])
  const [head, stopped, formula, first, ...more] = parseCsv(text).map(({ fields }) => fields)
  const at = (row: string[] | undefined, name: string) => row?.[head?.indexOf(name) ?? -1]
  expect(more).toEqual([])
  expect([at(stopped, 'question'), at(stopped, 'covered'), at(stopped, 'stopped_by')]).toEqual([
    'stopped',
    '',
    'cancelled',
  ])
  expect(
    ['question', 'answer', 'vote', 'comment', 'surface', 'covered'].map((name) => at(formula, name)),
  ).toEqual(['\'=cmd|"/c calc"!A1', 'Not "covered",\nsadly.', 'down', "'@here", 'widget', 'false'])
  expect([at(first, 'user'), at(first, 'cited_urls')]).toEqual(['ada', expect.stringContaining('https://')])

  const lines = await download(`/knowledge-bases/${base}/conversations/export?format=ndjson&rating=down`)
  expect(lines.response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([{ question: '=cmd|"/c calc"!A1', comment: '@here', covered: false }])
  expect((await download(`/knowledge-bases/${base}/conversations/export?format=xlsx`)).response.status).toBe(
    400,
  )
})

test('every CSV file begins with a byte order mark, and no file of JSON does', async () => {
  for (const path of [
    `/knowledge-bases/${base}/conversations/export`,
    `/knowledge-bases/${base}/analytics/export?from=2026-03-01&to=2026-03-04`,
    `/workspaces/${workspace}/activity/export`,
  ]) {
    const beginning = async (format: string) => {
      const response = await api.fetch('GET', `${path}${path.includes('?') ? '&' : '?'}format=${format}`)
      return [...new Uint8Array(await response.arrayBuffer()).subarray(0, 3)]
    }
    expect(await beginning('csv')).toEqual([0xef, 0xbb, 0xbf])
    expect(await beginning('ndjson')).not.toEqual([0xef, 0xbb, 0xbf])
  }
})

test('the figures of each day and the activity log are exported', async () => {
  const { text } = await download(`/knowledge-bases/${base}/analytics/export?from=2026-03-01&to=2026-03-04`)
  expect(parseCsv(text).map(({ fields }) => fields)).toEqual([
    ['day', 'surface', 'questions', 'not_covered', 'covered_rate', 'up', 'down'],
    ['2026-03-02', 'api', '1', '0', '1', '1', '0'],
    ['2026-03-03', 'api', '1', '0', '', '0', '0'],
    ['2026-03-03', 'widget', '1', '1', '0', '0', '1'],
  ])
  await api.ask('PATCH', `/knowledge-bases/${base}`, { name: '=Acme' })
  const log = await download(`/workspaces/${workspace}/activity/export`)
  const [head, last] = parseCsv(log.text).map(({ fields }) => fields)
  expect(last?.[head?.indexOf('action') ?? -1]).toBe('knowledge_base.updated')
  expect(last?.[head?.indexOf('target_name') ?? -1]).toMatch(/^'=Acme|^Acme/)
})
