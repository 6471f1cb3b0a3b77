import { expect, test } from 'vitest'
import { isBrokenWordIndex } from './broken-word-index.ts'

test('an index that cannot read itself is told from every other fault', () => {
  const broken = [
    new Error('Invalid logical page 19 (max 18), logical_offset=155192, BLCKSZ=8192, reader->num_pages=19'),
    Object.assign(new Error('index is corrupt'), { code: 'XX002' }),
  ]
  const others = [
    new Error('terminating connection'),
    Object.assign(new Error('x'), { code: '57P01' }),
    undefined,
  ]
  expect(broken.map(isBrokenWordIndex)).toEqual([true, true])
  expect(others.map(isBrokenWordIndex)).toEqual([false, false, false])
})
