import { expect, test } from 'vitest'
import { changedMeanwhile } from './changed-meanwhile.tsx'

const known = { name: 'Acme', tone: null, persona: 'A clerk', starter: { mode: 'own', questions: ['a'] } }

test('only what both have changed, to different things, is in the way', () => {
  expect(changedMeanwhile({ tone: 'Dry' }, known, known)).toEqual([])
  expect(changedMeanwhile({ tone: 'Dry' }, known, { ...known, persona: 'A pilot' })).toEqual([])
  expect(changedMeanwhile({ tone: 'Dry' }, known, { ...known, tone: 'Dry' })).toEqual([])
  expect(changedMeanwhile({ tone: 'Dry', name: 'Acme 2' }, known, { ...known, tone: 'Warm' })).toEqual([
    'tone',
  ])
  const starter = { mode: 'own', questions: ['b'] }
  expect(
    changedMeanwhile({ starter: { mode: 'none', questions: [] } }, known, { ...known, starter }),
  ).toEqual(['starter'])
})
