import { expect, test } from 'vitest'
import { findWords } from './find-words.ts'
import { withSigns } from './marked-nodes.ts'

const found = (text: string, words: string) => {
  const place = findWords(text, words)
  return place && text.slice(place.from, place.to)
}

test('words are found whatever markup is between them, and what a reader does not see is passed over', () => {
  expect(found('a **Keys are** rotated', 'Keys are rotated')).toBe('Keys are** rotated')
  expect(found('By hand:\n\n```javascript\nrotate()\n```\nThen wait.', 'By hand: rotate() Then')).toBe(
    'By hand:\n\n```javascript\nrotate()\n```\nThen',
  )
  expect(found('See [the guide](https://docs.example.com/keys) first.', 'the guide first')).toBe(
    'the guide](https://docs.example.com/keys) first',
  )
  expect(found('Keys are rotated', 'Keys are kept')).toBeUndefined()
  expect(found('Keys', '…')).toBeUndefined()
})

test('hostile text takes no longer than its length', () => {
  expect(found(']('.repeat(20_000), 'keys')).toBeUndefined()
  expect(found('```\n'.repeat(10_000), 'keys')).toBeUndefined()
})

test('a page cannot mark words of its own', () => {
  expect(withSigns('It is \uE000safe\uE001. Keys rot\uE001ate.', 'Keys rotate')).toBe(
    'It is safe. \uE000Keys rotate\uE001.',
  )
  expect(withSigns('It is \uE000safe', undefined)).toBe('It is safe')
})
