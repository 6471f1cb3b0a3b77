import { expect, test } from 'vitest'
import { createDraws } from '../../../kernel/draws.ts'
import { byChance, solvedRate, wilson, wilsonOfAnother } from './intervals.ts'
import { makeReport, type ReportedRun } from './make-report.ts'
import type { ReportTicket } from './report-ticket.ts'

const percent = ({ low, high }: { low: number; high: number }) =>
  [low, high].map((end) => Math.round(end * 1_000) / 10)

test("Wilson's interval is that of the tables, and narrows with the tickets", () => {
  expect(percent(wilson(80, 200))).toEqual([33.5, 46.9])
  expect(percent(wilson(160, 400))).toEqual([35.3, 44.9])
  expect(percent(wilson(400, 1_000))).toEqual([37, 43.1])
  expect(wilson(0, 100).low).toBe(0)
  expect(wilson(100, 100).high).toBe(1)
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
})

test('the rate of as many other tickets is in its interval in 95 of 100 cases', () => {
  const draw = createDraws(11)
  const rateOf = (probability: number) =>
    Array.from({ length: 1_000 }, () => (draw() < probability ? 1 : 0)).reduce(
      (sum: number, hit) => sum + hit,
      0,
    )
  for (const probability of [0.05, 0.4, 0.9]) {
    const held = Array.from({ length: 400 }, () => {
      const { low, high } = wilsonOfAnother(rateOf(probability), 1_000)
      const other = rateOf(probability) / 1_000
      return other >= low && other <= high
    }).filter(Boolean).length
    expect(held / 400).toBeGreaterThan(0.92)
  }
})

test('the share of rightly answered tickets has an interval over both, wider than that of either', () => {
  const solved = solvedRate({ answered: 400, of: 1_000 }, { right: 24, reviewed: 30 })
  expect(solved.rate).toBeCloseTo(0.32, 5)
  expect(solved.low).toBeGreaterThan(0.24)
  expect(solved.low).toBeLessThan(0.28)
  expect(solved.high).toBeGreaterThan(0.35)
  expect(solved.high).toBeLessThan(0.4)
  expect(solvedRate({ answered: 400, of: 1_000 }, { right: 24, reviewed: 30 })).toEqual(solved)
  expect(solvedRate({ answered: 10, of: 100 }, { right: 0, reviewed: 30 })).toEqual({
    rate: 0,
    low: 0,
    high: 0,
  })
})

test('a difference between two runs is told with how likely it is by chance', () => {
  expect(byChance(0, 0)).toBe(1)
  expect(byChance(5, 5)).toBe(1)
  // 2 × (1 + 10) / 2¹⁰
  expect(byChance(9, 1)).toBeCloseTo(22 / 1_024, 6)
  expect(byChance(1, 9)).toBe(byChance(9, 1))
  expect(byChance(1_900, 100)).toBeLessThan(1e-6)
})

const RUN: ReportedRun = {
  left_out: [{ reason: 'automatic', count: 50, refs: ['9'] }],
  sample: null,
  gaps: [],
  base_state: null,
  started_at: new Date('2026-11-23T10:00:00Z'),
  finished_at: new Date('2026-11-23T10:01:30Z'),
}

const ticket = (number: number, fields: Partial<ReportTicket> = {}): ReportTicket => ({
  number,
  ref: String(number),
  subject: null,
  beginning: `Question ${number}`,
  characters: 100,
  asked_at: null,
  tags: [],
  language: 'en',
  outcome: 'low_confidence',
  confidence: 0.1,
  like_agent: null,
  review: null,
  own_documents: 0,
  same: String(number),
  ...fields,
})

const answered = (number: number, confidence: number, fields: Partial<ReportTicket> = {}) =>
  ticket(number, { outcome: 'deflected', confidence, ...fields })

test('what was left out stays in the number of all tickets, and a failed answer counts as none', () => {
  const tickets = [
    ...Array.from({ length: 40 }, (_, at) => answered(at, 0.5 + at / 100)),
    ...Array.from({ length: 55 }, (_, at) => ticket(40 + at)),
    ...Array.from({ length: 5 }, (_, at) => ticket(95 + at, { outcome: 'answer_failed', confidence: null })),
    // Not tried yet.
    ticket(100, { outcome: null, confidence: null }),
  ]
  const report = makeReport(RUN, tickets)
  expect(report.tried).toMatchObject({ answered: 40, of: 100, rate: 0.4 })
  expect(report.all).toMatchObject({ answered: 40, of: 150 })
  expect(report.all.rate).toBeCloseTo(40 / 150)
  // One of 101 is not tried yet: what was left out counts as far as the others were tried.
  expect(
    makeReport(RUN, [
      ...tickets,
      ...Array.from({ length: 100 }, (_, at) => ticket(200 + at, { outcome: null })),
    ]).all.of,
  ).toBe(125)
  expect(report.failed).toBe(5)
  expect(report.seconds).toBe(90)
  expect(report.surest[0]).toMatchObject({ number: 39 })
  expect(report.doubtful[0]).toMatchObject({ number: 0 })
  expect(report.thresholds.find(({ confidence }) => confidence === 0.7)).toMatchObject({
    answered: 20,
    rate: 0.2,
  })
  // Of a sample of a tenth, a tenth of what was left out counts.
  const sample = { by: 'random', seed: 1, drawn_from: 1_000 } as const
  expect(makeReport({ ...RUN, sample }, tickets).all.of).toBe(105)
})

test('below 50 tickets there is no rate, and below 30 reviews nothing is called solved', () => {
  const few = Array.from({ length: 49 }, (_, at) => answered(at, 0.9, { review: 'right' }))
  const report = makeReport({ ...RUN, left_out: [] }, few)
  expect(report.tried).toEqual({ answered: 49, of: 49, rate: null, interval: null, again: null })
  expect(report.solved).toBeNull()
  const many = Array.from({ length: 100 }, (_, at) =>
    at < 29 ? answered(at, 0.9, { review: 'right' }) : ticket(at),
  )
  expect(makeReport(RUN, many)).toMatchObject({ solved: null, reviews: { right: 29, enough: false } })
  many[29] = answered(29, 0.9, { review: 'partly' })
  const enough = makeReport(RUN, many)
  expect(enough.reviews).toEqual({ right: 29, partly: 1, wrong: 0, enough: true })
  // What is right in part is not called solved.
  expect(enough.solved?.rate).toBeCloseTo(0.3 * (29 / 30))
})

test('tickets are counted by tag, month, language and length, and two runs on the same tickets are compared', () => {
  const tickets = [
    answered(0, 0.9, { tags: ['sso', 'keys'], asked_at: new Date('2026-01-31T23:59:59Z'), like_agent: 0.5 }),
    ticket(1, {
      tags: ['sso'],
      asked_at: new Date('2026-02-01T00:00:00Z'),
      characters: 201,
      own_documents: 2,
    }),
    answered(2, 0.8, { language: 'de', characters: 5_000, like_agent: 1 }),
  ]
  const report = makeReport(RUN, tickets, {
    id: 'other',
    name: 'Before',
    tickets: [ticket(0), answered(1, 0.5), ticket(2, { outcome: null }), ticket(7)],
  })
  expect(report.by_tag).toEqual([
    { name: 'sso', answered: 1, of: 2, rate: null },
    { name: 'keys', answered: 1, of: 1, rate: null },
  ])
  expect(report.by_month.map(({ name, of }) => [name, of])).toEqual([
    ['2026-01', 1],
    ['2026-02', 1],
  ])
  expect(report.by_language.map(({ name, of }) => [name, of])).toEqual([
    ['en', 2],
    ['de', 1],
  ])
  expect(report.by_length.map(({ of }) => of)).toEqual([1, 1, 1])
  expect(report.like_agent).toEqual({ compared: 2, mean: 0.75 })
  expect(report.own_documents).toBe(1)
  expect(report.against).toMatchObject({
    id: 'other',
    name: 'Before',
    same: 2,
    gained: 1,
    lost: 1,
    by_chance: 1,
  })
})
