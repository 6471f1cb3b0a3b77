/**
 * `npm run mutate [-- FOLDER …]` makes small changes to the service, one at a time, in a copy of the tree, and tells which of them no test
 * notices.
 *
 * --count 400      how many mutants
 * --seed 11        which ones: the same seed draws the same
 * --only FOLDER    this folder alone (may be given several times, like FOLDER)
 * --resume FILE    go on where this file of results ends, and write to it
 * --again          with --resume: try those that survived once more
 * --limit 120      seconds for a mutant, after which no further test file is begun
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { copyTree } from './copy-tree.ts'
import { drawMutants } from './draw-mutants.ts'
import { isOf, readEquivalents } from './equivalents.ts'
import { describe, readResults, type Result, table, writeResults } from './results.ts'
import { openReach } from './reach.ts'
import { createTestRunner } from './run-test-file.ts'
import { createTestsFor } from './tests-for.ts'
import { createMutantTrier } from './try-mutant.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDERS = [
  'service/src/accounts',
  'service/src/answers',
  'service/src/channels',
  'service/src/content/search',
  'service/src/content/indexing',
  'service/src/content/syncs',
  'service/src/platform/outbound',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: '11' },
    only: { type: 'string', multiple: true, default: [] },
    resume: { type: 'string', default: join(ROOT, 'node_modules/.cache/mutate/results.json') },
    again: { type: 'boolean', default: false },
    limit: { type: 'string', default: '120' },
  },
})
const count = Number(values.count)
const seed = Number(values.seed)
const limitSeconds = Number(values.limit)
const chosen = [...positionals, ...values.only].map((folder) => folder.replace(/\/$/, ''))
const folders = chosen.length > 0 ? chosen : FOLDERS
const missing = folders.find((folder) => !existsSync(join(ROOT, folder)))
const notNumber = [count, seed, limitSeconds].some((number) => !Number.isInteger(number) || number < 0)
if (missing !== undefined || notNumber) {
  console.error(
    missing === undefined ? 'Give --count, --seed and --limit whole numbers.' : `No folder ${missing}.`,
  )
  process.exit(2)
}

const equivalents = readEquivalents()
const drawn = drawMutants(ROOT, { folders, seed, count })
const isResumed = process.argv.some((argument) => argument.startsWith('--resume'))
const before = isResumed ? readResults(values.resume) : undefined
const kept = new Map<string, Result>(
  (before?.results ?? [])
    .filter(({ outcome }) => outcome === 'killed' || (outcome === 'survived' && !values.again))
    .map((result) => [result.id, result]),
)
const results: Result[] = []

/** Also what was known and is not reached yet, so that a run which is ended loses nothing. */
function save(): void {
  const reached = new Set(results.map(({ id }) => id))
  const later = (before?.results ?? []).filter(({ id }) => !reached.has(id))
  writeResults(values.resume, { seed, results: [...results, ...later], broken: reach.broken() })
}

using copy = copyTree(ROOT)
const runner = createTestRunner(copy)
const reach = openReach(ROOT, join(ROOT, 'node_modules/.cache/mutate/reach.json'))
const trier = createMutantTrier({
  root: copy.root,
  runner,
  reach,
  testsFor: createTestsFor(copy.root),
  limitSeconds,
})
let isEnded = false
process.once('SIGINT', () => {
  isEnded = true
  console.error('Ending after this mutant.')
})

for (const mutant of drawn) {
  if (isEnded) break
  const reason = equivalents.find((equivalent) => isOf(equivalent, mutant))?.reason
  const known = kept.get(mutant.id)
  if (reason !== undefined) results.push({ ...mutant, outcome: 'equivalent', reason })
  else if (known !== undefined) results.push({ ...known, ...mutant })
  else {
    const tried = await trier.try(mutant)
    results.push({ ...mutant, ...tried })
    console.error(
      `${results.length}/${drawn.length} ${tried.outcome} after ${tried.tests} of ${tried.ofTests} test files, ${tried.seconds} s: ${describe(mutant)}`,
    )
    save()
  }
}
await runner.close()
save()
console.log(table({ seed, results, broken: reach.broken() }))
console.error(`Results: ${values.resume}`)
if (results.some(({ outcome }) => outcome === 'survived')) process.exitCode = 1
