import { expect, test } from 'vitest'
import { changedMeanwhile, withChange } from './changed-meanwhile.tsx'

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

test('of an object, only the fields that are changed here are compared', () => {
  const now = { ...known, starter: { mode: 'none', questions: ['a'] } }
  expect(changedMeanwhile({ starter: { questions: ['b'] } }, known, now)).toEqual([])
  expect(changedMeanwhile({ starter: { mode: 'generated' } }, known, now)).toEqual(['starter'])
})

test('a field of an object that was saved here is not a change of somebody else', () => {
  const first = { starter: { mode: 'none' } }
  const saved = withChange(known, first)
  expect(saved).toEqual({ ...known, starter: { mode: 'none', questions: ['a'] } })
  expect(changedMeanwhile({ starter: { mode: 'own' } }, saved, saved)).toEqual([])
})
