import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { check, faultOf, keyOf, readVerdicts } from './linear-patterns.ts'
import { patternsOf, readPatterns } from './regular-expressions.ts'

const ROOT = resolve(import.meta.dirname, '..')

const faultsIn = (code: string) =>
  patternsOf('some.ts', code).map((found) => faultOf(found, check(found))?.replace(/^some.*? is /, ''))

/** Patterns that are not in checked-patterns.json are checked here, at some tenths of a second each. */
const MAX_UNCHECKED = 20

test('every regular expression of the service and the contract runs in linear time or on bounded input', () => {
  const verdicts = readVerdicts()
  const verdictOf = (found: Parameters<typeof check>[0]) => {
    const verdict = verdicts.get(keyOf(found)) ?? check(found)
    verdicts.set(keyOf(found), verdict)
    return verdict
  }
  const found = readPatterns(ROOT)
  const unchecked = new Set(found.map(keyOf).filter((key) => !verdicts.has(key)))
  expect(unchecked.size, 'run `npm run patterns`').toBeLessThanOrEqual(MAX_UNCHECKED)
  expect(found.length).toBeGreaterThan(700)
  expect(found.map((pattern) => faultOf(pattern, verdictOf(pattern))).filter(Boolean)).toEqual([])
}, 300_000)

test('a pattern is found as a literal and as a string, with its line', () => {
  const code = 'const a = 1\nconst b = /x+/gu\nconst c = new RegExp(String.raw`\\s${1}`)\nRegExp("y", "i")'
  expect(patternsOf('some.ts', code)).toEqual([
    { file: 'some.ts', line: 2, pattern: 'x+', flags: 'gu', bounded: undefined },
    { file: 'some.ts', line: 4, pattern: 'y', flags: 'i', bounded: undefined },
  ])
})

test('a comment with a length allows a polynomial pattern, but never an exponential one', () => {
  expect(faultsIn('/a+$/')[0]).toMatch(/^polynomial of degree 2\. Make it linear/)
  expect(faultsIn('// bounded: at most 2,000 characters\n/a+$/')).toEqual([undefined])
  expect(faultsIn('/a+$/ // bounded: at most 200 characters')).toEqual([undefined])
  expect(faultsIn('// bounded: at most 2,001 characters\n/a+$/')[0]).toContain('2,001 is too long')
  expect(faultsIn('// bounded: by what is usual\n/a+$/')[0]).toContain('Make it linear')
  expect(faultsIn('// bounded: at most 200 characters\n/a*a*a*$/')[0]).toContain('200 is too long')
  expect(faultsIn('// bounded: at most 20 characters\n/^(?:a|a)*$/')).toEqual(['exponential.'])
})
