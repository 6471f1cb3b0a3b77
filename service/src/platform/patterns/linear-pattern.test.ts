import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { compileLinearPattern, PatternError } from './linear-pattern.ts'
import { processorTime } from '../../../test/time-limit.ts'

/** Each takes a backtracking engine from seconds to for ever. */
const CATASTROPHES = [
  '(a+)+$',
  '([a-zA-Z]+)*$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){12}$',
  '(.*)*x',
  '(a*)*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '(?:a?){60}a{60}',
  String.raw`[\w.-]+@[\w.-]+\.com$`,
  String.raw`(\w+\s?)*$!`,
  '(a|b|ab)*c',
  String.raw`(.+)+\d`,
  String.raw`(\p{L}+)+!`,
  '.*.*.*=.*',
  '(?i)(a[^b]*)+Q',
  '((((a+)+)+)+)+$b',
  'a{0,200}z',
  String.raw`^(\d+|\w+|.)*$(x)`,
]
const TEXTS = ['a'.repeat(100_000), `${'a'.repeat(50_000)}!${'x'.repeat(50_000)}`]

verifies(
  'pii.patterns-cannot-hang',
  'patterns that hang backtracking engines finish on 100 kB immediately',
  async () => {
    expect(CATASTROPHES.length).toBeGreaterThanOrEqual(20)
    for (const source of CATASTROPHES) {
      const pattern = compileLinearPattern(source)
      for (const text of TEXTS) {
        expect(await processorTime(() => pattern.findAll(text, 200))).toBeLessThan(2_000)
      }
    }
  },
)

test('a number of searches proportional to the text ends at the time limit', () => {
  const startedAt = performance.now()
  // Each search reads to the end of the text before it matches one letter.
  expect(compileLinearPattern('.*x|a').findAll('a'.repeat(100_000), 50)).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test.each([
  [String.raw`(a)\1`, 'back reference'],
  ['a(?=b)', 'look-ahead'],
  ['(?<!a)b', 'look-behind'],
  ['(', 'missing closing )'],
  ['a**', 'RE2 syntax'],
  ['a{1001}', 'RE2 syntax'],
  ['(a{1,500}){1,2}', 'too large'],
])('%s is refused with a reason', (source, why) => {
  expect(() => compileLinearPattern(source)).toThrow(PatternError)
  expect(() => compileLinearPattern(source)).toThrow(why)
})

test('matches are found from left to right, without empty ones', () => {
  expect(compileLinearPattern(String.raw`\d*`).findAll('a12b3', 100)).toEqual([
    { start: 1, end: 3 },
    { start: 4, end: 5 },
  ])
  expect(compileLinearPattern('a.c').fits('abc')).toBe(true)
  expect(compileLinearPattern('a.c').fits('abcd')).toBe(false)
})
