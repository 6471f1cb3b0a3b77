import { LIMITS } from '@citewell/contract/limits'
import { expect, test } from 'vitest'
import { LONGEST_QUESTION } from './conversation.ts'

test('the longest question of the widget is that of the service', () => {
  expect(LONGEST_QUESTION).toBe(LIMITS.query)
})
