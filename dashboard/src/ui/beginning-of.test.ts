import { expect, test } from 'vitest'
import { beginningOf } from './beginning-of.ts'

test.for([
  ['Read all of it', 14, 'Read all of it'],
  ['Read all of it', 13, 'Read all of…'],
  ['Donaudampfschiff fahren', 8, 'Donaudam…'],
] as const)('%s, %i characters', ([text, most, beginning]) => {
  expect(beginningOf(text, most)).toBe(beginning)
})
