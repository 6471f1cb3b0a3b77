import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawMutants } from './draw-mutants.ts'
import { changeOf, isOf } from './equivalents.ts'

const FOLDERS = ['one', 'two']
let root: string

const write = (file: string, lines: readonly string[]) =>
  writeFileSync(join(root, file), `${lines.join('\n')}\n`)
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `export const N${index} = ${index * 7}`)
const draw = (seed: number, count: number) =>
  drawMutants(root, { folders: FOLDERS, seed, count }).map(({ id }) => id)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'draw-'))
  for (const folder of FOLDERS) mkdirSync(join(root, folder))
  write('one/many.ts', [...numbers(40), 'export const isIt = (a: number) => a === N1'])
  write('one/many.test.ts', numbers(40))
  write('two/few.ts', numbers(3))
})
afterAll(() => rmSync(root, { recursive: true }))

test('they are drawn evenly over the folders and the kinds, and never from a test', () => {
  const drawn = drawMutants(root, { folders: FOLDERS, seed: 1, count: 6 })
  expect(drawn.map(({ folder }) => folder)).toEqual(['one', 'two', 'one', 'two', 'one', 'two'])
  expect(drawn.some(({ kind }) => kind === 'comparison')).toBe(true)
  expect(new Set(drawn.map(({ file }) => file))).toEqual(new Set(['one/many.ts', 'two/few.ts']))
})

test('the same seed draws the same, another seed others, and a larger count goes on', () => {
  expect(draw(1, 20)).toEqual(draw(1, 20))
  expect(draw(2, 20)).not.toEqual(draw(1, 20))
  expect(draw(1, 30).slice(0, 20)).toEqual(draw(1, 20))
  expect(new Set(draw(1, 1000)).size).toBe(40 * 2 + 1 + 3 * 2)
})

test('what is written elsewhere in a file changes neither the draw nor what is known as equivalent', () => {
  const [first] = drawMutants(root, { folders: ['two'], seed: 1, count: 1 })
  if (first === undefined) throw new Error('Nothing was drawn.')
  write('two/few.ts', ['// A new first line.', ...numbers(3)])
  const [again] = drawMutants(root, { folders: ['two'], seed: 1, count: 1 })
  expect(again).toEqual({ ...first, line: first.line + 1, start: first.start + 21, end: first.end + 21 })
  const equivalent = {
    file: first.file,
    within: first.within,
    text: first.text,
    change: changeOf(first),
    reason: 'a test',
  }
  expect(first.within).toMatch(/^N\d$/)
  expect(again !== undefined && isOf(equivalent, again)).toBe(true)
})
