/**
 * `npm run patterns` checks the regular expressions that are new and writes tools/checked-patterns.json; with `-- --all` it checks all of
 * them again, which takes some minutes. On a busy machine a verdict may be `unknown`: it has a limit of time.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { check, keyOf, readVerdicts } from './linear-patterns.ts'
import { readPatterns } from './regular-expressions.ts'

const known = process.argv.includes('--all') ? new Map<string, never>() : readVerdicts()
const patterns = new Map(
  readPatterns(resolve(import.meta.dirname, '..')).map((found) => [keyOf(found), found]),
)
const verdicts = [...patterns].map(([key, found]) => [key, known.get(key) ?? check(found)] as const)
const sorted = Object.fromEntries(verdicts.toSorted(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(join(import.meta.dirname, 'checked-patterns.json'), `${JSON.stringify(sorted, null, 2)}\n`)
console.log(
  `${verdicts.length} patterns, ${verdicts.filter(([, verdict]) => verdict !== 'linear').length} not linear.`,
)
