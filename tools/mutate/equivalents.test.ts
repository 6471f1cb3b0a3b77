import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { drawMutants } from './draw-mutants.ts'
import { isOf, readEquivalents } from './equivalents.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test('every equivalent is a mutant of the code as it is, and has a reason', { tags: ['long'] }, () => {
  const equivalents = readEquivalents()
  const folders = [...new Set(equivalents.map(({ file }) => dirname(file)))]
  const mutants = drawMutants(ROOT, { folders, seed: 1, count: Infinity })
  expect(
    equivalents.filter(
      (equivalent) => equivalent.reason.length < 20 || !mutants.some((mutant) => isOf(equivalent, mutant)),
    ),
  ).toEqual([])
})
