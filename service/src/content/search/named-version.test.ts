import { expect, test } from 'vitest'
import { namedVersions } from './named-version.ts'

const VITE = ['v2', 'v3', 'v4', 'v7', 'main']

test.each([
  ['What is the default of `build.target` in Vite 3?', VITE, ['v3']],
  ['What changed in v4?', VITE, ['v4']],
  ['Which Node does version 7 need?', VITE, ['v7']],
  ['Is it in Vite 3.2.1?', VITE, ['v3']],
  ['What is new in Vite 8?', VITE, ['main']],
  ['How do I move from Vite 2 to Vite 3?', VITE, ['v2', 'v3']],
  ['Does Python 3.11 have it?', ['3.1', '3.10', '3.11'], ['3.11']],
  ['Does Python 3 have it?', ['2.7', '3.10', '3.11'], ['3.10', '3.11']],
  ['Is it in release 1.9?', ['release-1.9', 'release-1.10'], ['release-1.9']],
])('the version named in "%s" is found', (query, labels, expected) => {
  expect(namedVersions(query, labels).toSorted()).toEqual(expected.toSorted())
})

test.each([
  'Why does port 3 not answer?',
  'How do I run 4 workers?',
  'What is v9e-7?',
  'How do I build for production?',
  'Is there an error E42?',
])('no version is found in "%s"', (query) => {
  expect(namedVersions(query, VITE)).toEqual([])
})

test('a number is above no other where no version has one', () => {
  expect(namedVersions('What is new in Vite 8?', ['main', 'next'])).toEqual([])
})
