import { expect, test } from 'vitest'
import { SourcePaused } from '../connector.ts'
import { createPace, createPaces, endAt, MAX_WAIT_MS } from './pace.ts'
import { readRateHeaders } from './read-rate-headers.ts'

const NOW = Date.parse('2026-03-09T10:00:00Z')
const SKEWED = 'Mon, 09 Mar 2026 10:10:00 GMT'

test.each([
  [{ 'retry-after': '30' }, { waitMs: 30_000, remaining: undefined }],
  [{ 'retry-after': 'Mon, 09 Mar 2026 10:00:30 GMT' }, { waitMs: 30_000, remaining: undefined }],
  [
    { 'retry-after': 'Mon, 09 Mar 2026 10:10:30 GMT', date: SKEWED },
    { waitMs: 30_000, remaining: undefined },
  ],
  [
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 60) },
    { waitMs: 60_000, remaining: 0 },
  ],
  [
    { 'x-rate-limit-remaining': '7', 'ratelimit-reset': '12' },
    { waitMs: 12_000, remaining: 7 },
  ],
  [{ ratelimit: 'limit=100, remaining=0, reset=30' }, { waitMs: 30_000, remaining: 0 }],
  [{ ratelimit: '"default";r=3;t=9' }, { waitMs: 9_000, remaining: 3 }],
  [{ 'x-ratelimit-reset': String(NOW + 5_000) }, { waitMs: 5_000, remaining: undefined }],
  [
    { 'retry-after': 'soon', 'x-ratelimit-remaining': '-1' },
    { waitMs: undefined, remaining: undefined },
  ],
  [{ 'retry-after': '-5' }, { waitMs: undefined, remaining: undefined }],
  [{}, { waitMs: undefined, remaining: undefined }],
])('%j', (headers: Record<string, string>, advice) => {
  expect(readRateHeaders(new Headers(headers), NOW)).toEqual(advice)
})

function open() {
  let time = NOW
  const waits: number[] = []
  const deps = {
    now: () => time,
    wait: async (milliseconds: number) => {
      waits.push(milliseconds)
      time += milliseconds
    },
    random: () => 0,
  }
  return { deps, waits, pass: (milliseconds: number) => (time += milliseconds) }
}
const { signal } = new AbortController()

test('a refusal holds back every request of the account until it may go on', async () => {
  const { deps, waits } = open()
  const paces = createPaces(deps)
  const one = paces.of('https://api.example', { token: 'a' })
  await one.turn(signal)
  expect(one.heed(429, new Headers({ 'retry-after': '30' }))).toBe(true)
  // Another source with the same account, whose token has been renewed.
  await paces.of('https://api.example', { access_token: 'new', token: 'a' }).turn(signal)
  await paces.of('https://api.example', { token: 'b' }).turn(signal)
  expect(waits).toEqual([30_000])
})

test('the last request of a window waits for the next one, and a named rate is kept', async () => {
  const { deps, waits } = open()
  const pace = createPace(deps, 334)
  await Promise.all([pace.turn(signal), pace.turn(signal), pace.turn(signal)])
  expect(waits).toEqual([334, 334])
  expect(pace.heed(200, new Headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' }))).toBe(false)
  await pace.turn(signal)
  expect(waits.at(-1)).toBe(9_000)
})

test('refusals without a time are waited for twice as long each time', async () => {
  const { deps, waits } = open()
  const pace = createPace(deps)
  for (let refusal = 0; refusal < 3; refusal += 1) {
    pace.heed(429, new Headers())
    await pace.turn(signal)
  }
  expect(waits).toEqual([1_000, 2_000, 4_000])
})

test('whoever no longer waits leaves at once, and those behind keep their turn', async () => {
  const { promise: passed, resolve: pass } = Promise.withResolvers<undefined>()
  const pace = createPace({ now: () => NOW, wait: async () => await passed, random: () => 0 })
  pace.heed(429, new Headers({ 'retry-after': '600' }))
  const first = pace.turn(signal)
  const leaving = new AbortController()
  const second = pace.turn(leaving.signal)
  const third = pace.turn(signal)
  leaving.abort(new Error('Nobody waits for it.'))
  await expect(second).rejects.toThrow('Nobody waits for it.')
  pass(undefined)
  await Promise.all([first, third])
})

test('fifteen minutes are waited for, and more ends the reading', async () => {
  const { deps, waits, pass } = open()
  const pace = createPace(deps)
  pace.heed(429, new Headers({ 'retry-after': String(MAX_WAIT_MS / 1_000) }))
  await pace.turn(signal)
  expect(waits).toEqual([MAX_WAIT_MS])
  pace.heed(403, new Headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '901' }))
  await expect(pace.turn(signal)).rejects.toThrow(SourcePaused)
  pass(2_000)
  await pace.turn(signal)
})

test.each([{ 'retry-after': '1000000000' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e30' }])(
  'an absurd wait closes an account for a day at most: %j',
  async (headers: Record<string, string>) => {
    const { deps, pass } = open()
    const pace = createPace(deps)
    pace.heed(429, new Headers(headers))
    pass(23 * 60 * 60_000)
    await expect(pace.turn(signal)).rejects.toThrow(SourcePaused)
    pass(60 * 60_000)
    await pace.turn(signal)
  },
)

test('a reading gets no further turns from its time limit on', async () => {
  const { deps, pass } = open()
  const pace = endAt(createPace(deps), { deadline: NOW + 1_000, now: deps.now })
  await pace.turn(signal)
  pass(1_000)
  await expect(pace.turn(signal)).rejects.toThrow(SourcePaused)
})
