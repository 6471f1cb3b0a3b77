import { expect, test } from 'vitest'
import { passage } from '../../../test/answering-world.ts'
import { unitsOf } from './quotes.ts'
import { preferUnsaid } from './said-before.ts'

const KEYS = passage(
  1,
  'Signing keys are rotated every day at midnight. A key that was rotated works for another hour.',
)

async function scored(...scores: number[]) {
  const units = await unitsOf([{ passages: [KEYS] }])
  return units.map((unit, at) => ({ ...unit, score: scores[at] ?? 0 }))
}
const plain = (units: Awaited<ReturnType<typeof scored>>) => units.map(({ unit }) => unit.plain)

test('what an earlier answer shows is quoted again only where it is by far the best', async () => {
  const [rotated = '', works = ''] = plain(await scored(2, 1))
  const earlier = [
    { answer: 'The documentation says:\n\n> Signing keys are **rotated** every day at midnight. [1]' },
  ]
  expect(plain([...preferUnsaid(await scored(2, 1.9), [])])).toEqual([rotated, works])
  expect(plain([...preferUnsaid(await scored(2, 1.9), earlier)])).toEqual([works])
  expect(plain([...preferUnsaid(await scored(2, 1), earlier)])).toEqual([rotated, works])
  expect(preferUnsaid([], earlier)).toEqual([])
})
