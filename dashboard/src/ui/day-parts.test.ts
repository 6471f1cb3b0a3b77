import { expect, test } from 'vitest'
import { partsOf, saidOf } from './day-parts.ts'

test('an answer that was stopped or failed counts as neither covered nor not covered', () => {
  expect(partsOf({ questions: 5, finished: 3, not_covered: 1 })).toEqual({
    covered: 2,
    notCovered: 1,
    unfinished: 2,
  })
  expect(saidOf({ questions: 5, finished: 3, not_covered: 1 }, ' in 30 days')).toBe(
    '5 questions in 30 days: 2 covered, 1 not covered, 2 without a complete answer',
  )
  expect(saidOf({ questions: 1, finished: 1, not_covered: 0 })).toBe('1 question: 1 covered, 0 not covered')
})
