import { expect, test } from 'vitest'
import { rereadWindow } from './reread-window.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

/** How often the window of a thread changes between two ages. */
function changes(fromAge: number, toAge: number, id = 'topic'): number {
  const seen = new Set<string>()
  for (let age = fromAge; age < toAge; age += HOUR / 2) seen.add(rereadWindow(id, START, START + age))
  return seen.size
}

test('a thread is read again each hour, then each day, then each month', () => {
  expect(changes(0, DAY)).toBeGreaterThanOrEqual(24)
  expect(changes(0, DAY)).toBeLessThanOrEqual(26)
  expect(changes(2 * DAY, 12 * DAY)).toBeGreaterThanOrEqual(10)
  expect(changes(2 * DAY, 12 * DAY)).toBeLessThanOrEqual(11)
  expect(changes(31 * DAY, 151 * DAY)).toBeLessThanOrEqual(5)
})

test('the moments of many threads are spread over the time', () => {
  const now = START + 200 * DAY
  const changed = Array.from({ length: 300 }, (_none, at) => `topic ${at}`).filter(
    (id) => rereadWindow(id, START, now) !== rereadWindow(id, START, now + 3 * DAY),
  )
  // A tenth of the month.
  expect(changed.length).toBeGreaterThan(10)
  expect(changed.length).toBeLessThan(60)
})
