import { expect, test } from 'vitest'
import { spread } from '../sets/read-set.ts'
import { createProgressBar } from './progress-bar.ts'
import { readArguments } from './read-arguments.ts'

test('options are parsed, and errors in them are reported', () => {
  expect(readArguments(['--set', 'a, b', '--limit', '5', '--fresh'], ['a', 'b'])).toMatchObject({
    sets: ['a', 'b'],
    limit: 5,
    isFresh: true,
    saves: false,
  })
  expect(() => readArguments(['--set', 'c'], ['a'])).toThrow('There is no set "c"')
  expect(() => readArguments(['--limit', '0'], [])).toThrow('--limit')
  expect(() => readArguments(['--limit', '5', '--write-floor'], [])).toThrow('floor')
  expect(() => readArguments(['--wrong'], [])).toThrow('--wrong')
})

test('a sample is spread over all questions, and deterministic', () => {
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([0, 3, 6])
  expect(spread([1, 2], 5)).toEqual([1, 2])
  expect(spread([1, 2], undefined)).toEqual([1, 2])
})

test('the bar redraws one line on a terminal, and writes few lines to a log', () => {
  const written = (isTTY: boolean) => {
    let text = ''
    const bar = createProgressBar({ write: (piece) => (text += piece), isTTY, columns: 60 })
    for (const done of [1, 2, 3, 4]) bar.show('set: asking', done, 4)
    return text
  }
  expect(written(true)).toContain(`\r\u001B[K${'█'.repeat(12)}${'░'.repeat(12)} 2/4  set: asking`)
  expect(written(false)).toBe('set: asking: 1 of 4\n')
})
