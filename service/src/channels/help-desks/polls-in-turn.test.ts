import { expect, test } from 'vitest'
import { pollsInTurn } from './polls-in-turn.ts'

test('help desks are read in the order in which they became due, whatever their ids; one that is not due waits', () => {
  const integrations = ['a', 'b', 'c', 'd', 'new'].map((id) => ({ id }))
  const nextAt = new Map([
    ['a', new Date(3_000)],
    ['b', new Date(1_000)],
    ['c', new Date(9_000)],
    ['d', new Date(2_000)],
  ])
  expect(pollsInTurn(integrations, nextAt, new Date(3_000)).map(({ id }) => id)).toEqual([
    'new',
    'b',
    'd',
    'a',
  ])
})
