import { expect, test } from 'vitest'
import { renderPage } from '../page/render-page.ts'
import { belowFloor, raisedFloor } from './floor.ts'
import { changeText, figureText, isReached, printTable } from './print-table.ts'
import { mergeReports, REPORT_FORM, summaryOf, type PartReport, type Report } from './report.ts'

const part = (given: Partial<PartReport> = {}): PartReport => ({
  set: 'ray_docs_qa',
  name: 'ray_docs_qa',
  measuredAt: '2026-01-02T03:04:05.000Z',
  embedding: 'a-model:1',
  questions: 10,
  isSample: false,
  figures: { ndcg10: 0.65, hit5: 0.79, outside_group: 0 },
  previous: undefined,
  latency: {
    search: { count: 10, p50: 1, p95: 2, p99: 3, max: 4 },
    firstFrame: undefined,
    wholeAnswer: undefined,
  },
  searchTimes: [1, 2, 3],
  answers: [
    { question: 'How?', isAnswerable: true, isCovered: true, confidence: 0.9, text: 'So.' },
    { question: 'Who?', isAnswerable: false, isCovered: false, confidence: 0.2, text: '' },
  ],
  misses: [],
  ungrounded: [],
  ...given,
})

const report = (...parts: PartReport[]): Report => ({
  form: REPORT_FORM,
  measuredAt: '2026-01-02T03:04:05.000Z',
  node: 'v24',
  processors: 2,
  loadAverage: 0.5,
  parts,
})

test('a floor is the measured figure less its tolerance, rounded down, without figures that have no floor', () => {
  const floor = raisedFloor([part({ figures: { ndcg10: 0.65678, outside_group: 0, best_threshold: 0.4 } })], {
    squad2: { ndcg10: 0.9 },
  })
  expect(floor).toEqual({ ray_docs_qa: { ndcg10: 0.646, outside_group: 0 }, squad2: { ndcg10: 0.9 } })
  expect(belowFloor([part({ figures: { ndcg10: 0.646, outside_group: 0 } })], floor)).toEqual([])
  expect(belowFloor([part({ figures: { ndcg10: 0.645, outside_group: 1 } })], floor)).toEqual([
    { part: 'ray_docs_qa', metric: 'ndcg10', figure: 0.645, floor: 0.646 },
    { part: 'ray_docs_qa', metric: 'outside_group', figure: 1, floor: 0 },
  ])
})

test('a sample is not compared with a floor, and sets none', () => {
  const sample = part({ isSample: true, figures: { ndcg10: 0.1 } })
  expect(belowFloor([sample], { ray_docs_qa: { ndcg10: 0.6 } })).toEqual([])
  expect(raisedFloor([sample], { ray_docs_qa: { ndcg10: 0.6 } })).toEqual({ ray_docs_qa: { ndcg10: 0.6 } })
})

test('a part gets the previous figures with the same number of questions, and parts not measured are kept', () => {
  const before = report(part({ figures: { ndcg10: 0.6 } }), part({ set: 'squad2', name: 'squad2' }))
  const names = ['ray_docs_qa', 'squad2']
  const merged = mergeReports(report(part()), { before, kept: before }, names)
  expect(merged.parts.map(({ name, previous }) => [name, previous])).toEqual([
    ['ray_docs_qa', { ndcg10: 0.6 }],
    ['squad2', undefined],
  ])
  const fewer = mergeReports(report(part({ questions: 5, isSample: true })), { before, kept: before }, names)
  expect(fewer.parts[0]?.previous).toBeUndefined()
})

test('figures are formatted for people', () => {
  expect(figureText('ndcg10', 0.6504)).toBe('.650')
  expect(figureText('ndcg10', 0.9999)).toBe('1.00')
  expect(figureText('outside_group', 3)).toBe('3')
  expect(changeText('ndcg10', 0.65, 0.6)).toBe('+.050')
  expect(changeText('ndcg10', 0.6001, 0.6)).toBe('')
  expect(isReached('ndcg10', { ndcg10: 0.6296 }, { ndcg10: 0.63 })).toBe(true)
  expect(isReached('outside_group', { outside_group: 1 }, { outside_group: 0 })).toBe(false)
  expect(printTable([part()])).toContain(
    'ray_docs_qa  10         nDCG@10            .650          .452    .630  ✓',
  )
})

test('the summary contains no questions', () => {
  const summary = JSON.stringify(
    summaryOf(report(part({ misses: [{ question: 'Secret?', place: null, wanted: [], found: [] }] }))),
  )
  expect(summary).toContain('"ndcg10":0.65')
  expect(summary).not.toContain('Secret?')
})

test('the page is self-contained, and escapes text', () => {
  const page = renderPage(
    report(
      part({ misses: [{ question: '<script>alert(1)</script>', place: null, wanted: ['<b>'], found: [] }] }),
    ),
    { ray_docs_qa: { hit5: 0.8 } },
  )
  expect(page).not.toMatch(/<script|<link|\bsrc=|@import|url\(|https?:/)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).toContain('below its floor')
  expect(page).toContain('<svg')
})
