import type { Source } from '@citewell/sdk/management'
import { expect, test } from 'vitest'
import { readAgain } from './source-status.ts'

test.each([
  ['idle', null, undefined],
  ['idle', 1, 'the last sync read one address again'],
  ['idle', 1_200, 'the last sync read 1,200 addresses again'],
  ['syncing', 3, 'reads 3 addresses again'],
] as const)('a source that is %s, after a retry of %s addresses', (status, retried, says) => {
  const source = { status, last_sync: { retried_addresses: retried } } as Pick<Source, 'status' | 'last_sync'>
  expect(readAgain(source)).toBe(says)
  expect(readAgain({ ...source, last_sync: null })).toBeUndefined()
})
