/** `npm run patterns` checks all regular expressions again and writes tools/checked-patterns.json. Takes two minutes. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { check, keyOf } from './linear-patterns.ts'
import { readPatterns } from './regular-expressions.ts'

const patterns = new Map(
  readPatterns(resolve(import.meta.dirname, '..')).map((found) => [keyOf(found), found]),
)
const verdicts = [...patterns].map(([key, found]) => [key, check(found)] as const)
const sorted = Object.fromEntries(verdicts.toSorted(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(join(import.meta.dirname, 'checked-patterns.json'), `${JSON.stringify(sorted, null, 2)}\n`)
console.log(
  `${verdicts.length} patterns, ${verdicts.filter(([, verdict]) => verdict !== 'linear').length} not linear.`,
)
