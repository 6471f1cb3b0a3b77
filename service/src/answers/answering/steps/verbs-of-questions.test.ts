import { expect, test } from 'vitest'
import { hasOwnVerb, withoutVerbs } from './verbs-of-questions.ts'

test.for([
  ['and push it?', true],
  ['how do I delete it again', true],
  ['Can I undo that?', true],
  ['How do I share these with others?', true],
  ['How often should I do that?', false],
  ['Does it work on Windows?', false],
  ["what if it's not merged", false],
  ['Is there a page that explains this setting?', false],
] as const)('%s has a verb of its own: %s', ([query, expected]) => {
  expect(hasOwnVerb(query)).toBe(expected)
})

test.for([
  ['How do I create a new branch?', 'a new branch?'],
  ['How to rotate signing keys', 'signing keys'],
  ['Is there a way to restore a backup?', 'Is there a way a backup?'],
  ['Can sources be shared?', 'sources be shared?'],
  ['What is a branch?', 'What is a branch?'],
] as const)('%s is about %s', ([query, about]) => {
  expect(withoutVerbs(query)).toBe(about)
})

test('a long question takes no longer than its length', () => {
  const long = 'how do i '.repeat(20_000)
  expect(withoutVerbs(long)).toBe('')
  expect(hasOwnVerb('a '.repeat(100_000))).toBe(false)
})
