import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree, type TreeCopy } from './copy-tree.ts'
import { drawMutants } from './draw-mutants.ts'
import { changeOf } from './equivalents.ts'
import { openReach, type ReachRecord } from './reach.ts'
import { createTestRunner, type TestRunner } from './run-test-file.ts'
import { createMutantTrier, type MutantTrier } from './try-mutant.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = `export const isAdult = (age: number) => age >= 18
export const isChild = (age: number) => age < 18
`

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  '.gitignore': 'node_modules\n',
  'vitest.config.ts': "export default { test: { projects: [{ test: { name: 'service' } }] } }\n",
  'service/src/age.ts': SOURCE,
  'service/src/age.test.ts': `import { expect, test } from 'vitest'
import { isAdult } from './age.ts'
test('18 is adult', () => expect(isAdult(18)).toBe(true))
`,
  'service/src/child.test.ts': `import { expect, test } from 'vitest'
import { isChild } from './age.ts'
test('9 is a child', () => expect(isChild(9)).toBe(true))
`,
  'service/src/broken.test.ts': `import { expect, test } from 'vitest'
test('fails', () => expect(1).toBe(2))
`,
}

let tree: string
let copy: TreeCopy
let runner: TestRunner
let trier: MutantTrier
let reach: ReachRecord

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'small-tree-'))
  mkdirSync(join(tree, 'service/src'), { recursive: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(tree, file), text)
  cpSync(import.meta.dirname, join(tree, 'tools/mutate'), { recursive: true })
  mkdirSync(join(tree, 'node_modules/.cache'), { recursive: true })
  writeFileSync(join(tree, 'node_modules/.cache/kept'), '')
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(tree, 'node_modules/vitest'))
  execFileSync('git', ['init', '--quiet'], { cwd: tree })
  copy = copyTree(tree)
  runner = createTestRunner(copy)
  reach = openReach(copy.root, join(tree, 'reach.json'))
  trier = createMutantTrier({
    root: copy.root,
    runner,
    reach,
    testsFor: () => ({
      near: ['service/src/broken.test.ts', 'service/src/age.test.ts'],
      far: ['service/src/child.test.ts'],
      isInKept: false,
      isInThreads: false,
    }),
    limitSeconds: 60,
  })
})

afterAll(async () => {
  await runner.close()
  copy[Symbol.dispose]()
  rmSync(tree, { recursive: true })
})

const tryChange = async (line: number, change: string) => {
  const mutant = drawMutants(tree, { folders: ['service/src'], seed: 1, count: 100 }).find(
    (drawn) => drawn.line === line && changeOf(drawn) === change,
  )
  if (mutant === undefined) throw new Error(`There is no mutant ${change}.`)
  return await trier.try(mutant)
}

test('a change that a test notices is killed, one that none notices survives, and a test that fails anyway proves nothing', async () => {
  expect(await tryChange(1, '>= → >')).toMatchObject({
    outcome: 'killed',
    killedBy: {
      test: 'service/src/age.test.ts',
      failure: expect.stringContaining('18 is adult: expected false'),
    },
    tests: 2,
  })
  expect(await tryChange(2, '< → <=')).toMatchObject({ outcome: 'survived', tests: 1, ofTests: 1 })
  // The test sees a change again after it has passed.
  expect(await tryChange(1, '18 → 19')).toMatchObject({ outcome: 'killed' })
  expect(reach.broken()).toEqual({
    'service/src/broken.test.ts': expect.stringContaining('fails: expected 1 to be 2'),
  })
})

test('what a test executes is known from its first run, also to the next command, until the test is another', () => {
  const [isAdult, isChild] = drawMutants(tree, { folders: ['service/src'], seed: 1, count: 100 })
    .filter(({ kind }) => kind === 'comparison')
    .toSorted((one, other) => one.line - other.line)
  if (isAdult === undefined || isChild === undefined) throw new Error('There are no mutants.')
  const later = openReach(copy.root, join(tree, 'reach.json'))
  const found = later.of('service/src/age.test.ts')
  expect(found?.seconds).toBeGreaterThan(0)
  expect(found && [isAdult, isChild].map((mutant) => later.isReached(found, mutant))).toEqual([true, false])
  const test = join(copy.root, 'service/src/age.test.ts')
  const text = readFileSync(test, 'utf8')
  writeFileSync(test, `${text}// Changed.\n`)
  expect(openReach(copy.root, join(tree, 'reach.json')).of('service/src/age.test.ts')).toBeUndefined()
  writeFileSync(test, text)
})

test('neither the tree nor its packages are written to, and the copy ends as it began', () => {
  for (const [file, text] of Object.entries(FILES)) {
    expect(readFileSync(join(tree, file), 'utf8')).toBe(text)
    expect(readFileSync(join(copy.root, file), 'utf8')).toBe(text)
  }
  const expected = [
    '.git',
    '.gitignore',
    'node_modules',
    'package.json',
    'reach.json',
    'service',
    'tools',
    'vitest.config.ts',
  ]
  expect(readdirSync(tree)).toEqual(expected)
  expect(readdirSync(join(tree, 'node_modules'))).toEqual(['.cache', 'vitest'])
  expect(readdirSync(join(copy.root, 'node_modules'))).not.toContain('.cache')
})
