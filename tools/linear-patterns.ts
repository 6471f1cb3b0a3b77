/** Checks with `recheck` that a regular expression runs in linear time. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import type { FoundPattern } from './regular-expressions.ts'

/** `polynomial` without a degree comes from fuzzing, whose degree is often too high. */
export type Verdict = 'linear' | `polynomial of degree ${number}` | 'polynomial' | 'exponential' | 'unknown'

type Pattern = Pick<FoundPattern, 'pattern' | 'flags'>

const CHECKED = join(import.meta.dirname, 'checked-patterns.json')
const CHECK_MS = 10_000
/** Maximum number of steps on the longest input: the square of 2,000. */
const MAX_STEPS = 4_000_000
const LENGTH = /(\d[\d,]*) (?:characters|bytes)/

/** Key of a pattern in `checked-patterns.json`. */
export const keyOf = ({ pattern, flags }: Pattern): string =>
  createHash('sha256').update(`/${pattern}/${flags}`).digest('hex').slice(0, 16)

/** Earlier verdicts, by key. */
export const readVerdicts = (): Map<string, Verdict> =>
  new Map(Object.entries(JSON.parse(readFileSync(CHECKED, 'utf8')) as Record<string, Verdict>))

/** Takes up to several seconds. */
export function check({ pattern, flags }: Pattern): Verdict {
  process.env['RECHECK_BACKEND'] = 'pure'
  const found = checkSync(pattern, flags, { timeout: CHECK_MS, randomSeed: 1 })
  if (found.status === 'safe') return 'linear'
  if (found.status === 'unknown') return 'unknown'
  if (found.complexity.type === 'exponential') return 'exponential'
  return found.complexity.isFuzz ? 'polynomial' : `polynomial of degree ${found.complexity.degree}`
}

function longestFor(verdict: Verdict): number {
  const degree = Number(/\d+$/.exec(verdict)?.[0] ?? 2)
  return Math.floor(MAX_STEPS ** (1 / degree) + 1e-6)
}

/** Why a pattern is not allowed; undefined if it is. */
export function faultOf(found: FoundPattern, verdict: Verdict): string | undefined {
  if (verdict === 'linear') return undefined
  const where = `${found.file}:${found.line} /${found.pattern}/${found.flags} is ${verdict}`
  if (verdict === 'exponential') return `${where}.`
  const longest = longestFor(verdict)
  const length = LENGTH.exec(found.bounded ?? '')?.[1]
  if (length === undefined)
    return `${where}. Make it linear, or state the maximum length of its input: \`// bounded: at most ${longest} characters\`.`
  if (Number(length.replaceAll(',', '')) > longest)
    return `${where}: ${length} is too long, the maximum is ${longest}.`
  return undefined
}
