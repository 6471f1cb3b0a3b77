import { expect, test } from 'vitest'
import { isThreadFull } from './thread-document.ts'

test('a thread is full with a thousand messages, or with eight million characters', () => {
  expect(isThreadFull(Array.from({ length: 999 }, () => 'x'))).toBe(false)
  expect(isThreadFull(Array.from({ length: 1_000 }, () => ''))).toBe(true)
  expect(isThreadFull(['x'.repeat(7_999_999)])).toBe(false)
  expect(isThreadFull(['x'.repeat(7_999_999), 'x'])).toBe(true)
})
