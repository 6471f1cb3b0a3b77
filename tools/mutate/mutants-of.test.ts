import { expect, test } from 'vitest'
import { changeOf } from './equivalents.ts'
import { applyMutant, mutantsOf } from './mutants-of.ts'

const changesOf = (text: string): string[] =>
  mutantsOf(text).map((mutant) => `${mutant.kind}: ${changeOf(mutant)}`)

test.each([
  ['const isNear = a < b', ['comparison: < → <=']],
  ['const isFar = (a.b) >= (c)', ['comparison: >= → >']],
  ['const isIt = a === b', ['comparison: === → !==']],
  ['const isBoth = a && b || c', ['logic: || → &&', 'logic: && → ||']],
  ['if (isDone) f = g', ['condition: isDone → !(isDone)']],
  ['if (a !== b) f = g', ['comparison: !== → ===']],
  ['const x = isDone ? a : b', ['condition: isDone → !(isDone)']],
  ['await store.save(row)', ['call: await store.save(row) → ;']],
  ['void run()', ['call: void run() → ;']],
  ['const saved = await store.save(row)', []],
  ['function f() { return row }', ['return: row → undefined']],
  ['function f() { return true }', ['return: true → false']],
  ['const never = () => false', ['return: false → true']],
  ['function f() { return undefined }', []],
  ['function f() { return }', []],
  [
    "const q = db.selectFrom('a').where('id', '=', id).where('base', '=', base)",
    ["where: .where('base', '=', base) → nothing", "where: .where('id', '=', id) → nothing"],
  ],
  ['const LIMIT = 20', ['number: 20 → 21', 'number: 20 → 19']],
  ['const rest = list.slice(0)', ['number: 0 → 1', 'number: 0 → (-1)']],
  ['if (a !== b) throw new Refusal(c)', ['comparison: !== → ===', 'throw: throw new Refusal(c) → ;']],
  ['const half = 0.5', []],
])('%s', (text, changes) => {
  expect(changesOf(text)).toEqual(changes)
})

test.each([
  ["import { a } from './a.ts'", 'an import'],
  ["export * from './a.ts'", 'an export of another file'],
  ['type Level = 1 | 2', 'a type'],
  ['interface Row { level: 1 | 2 }', 'an interface'],
  ['const level: 1 | 2 = read<3>(a as 4)', 'types of a variable, an argument and a cast'],
  ['// a < 2', 'a comment'],
  ["const text = 'a < 2'", 'a string'],
  ["deps.log.warn({ count: rows > 1 }, 'Too many.')", 'a log call'],
  ['timer.unref()', 'what lets the process end'],
  ['const PAUSE_MS = 5 * 1000', 'a duration'],
  ['const f = { waitMs: 300 }', 'a duration of a field'],
])('%s has none: it is %s', (text) => {
  expect(changesOf(text)).toEqual([])
})

test('a number in the body of a timer is changed, its time is not', () => {
  expect(changesOf('setTimeout(end, 500)')).toEqual(['call: setTimeout(end, 500) → ;'])
})

test('a mutant is the text with one place changed, also after characters of several bytes', () => {
  const text = "const said = '…🙂'\nconst isNear = a < b /* < */\n"
  const [mutant, ...more] = mutantsOf(text)
  expect(more).toEqual([])
  if (mutant === undefined) throw new Error('There is no mutant.')
  expect(applyMutant(text, mutant)).toBe("const said = '…🙂'\nconst isNear = a <= b /* < */\n")
})

test('a negated condition keeps what it is made of together', () => {
  const text = 'if (a || b) f = g'
  const negated = mutantsOf(text).find(({ kind }) => kind === 'condition')
  expect(negated && applyMutant(text, negated)).toBe('if (!(a || b)) f = g')
})
