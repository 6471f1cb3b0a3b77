import { expect, test } from 'vitest'
import { readPairs, writePairs } from './read-pairs.ts'

test('lines of names and values are read, with equals signs in values, and written back', () => {
  const text = 'token = abc==\n\n  channel=help  '
  expect(readPairs(text)).toEqual({ token: 'abc==', channel: 'help' })
  expect(readPairs(writePairs({ token: 'abc==', channel: 'help' }))).toEqual(readPairs(text))
  expect(writePairs({ limit: 3, gone: null })).toBe('limit = 3')
})

test('a line that is no pair is refused with the line', () => {
  for (const line of ['token', '= x', 'token =', 'a\nb = c'])
    expect(() => readPairs(line)).toThrow(/write a name/)
  expect(() => readPairs(`${'x'.repeat(101)} = y`)).toThrow(/100 characters/)
  expect(() => readPairs('a = b\n'.repeat(101))).toThrow(/100 lines/)
})
