/** What came of each mutant: kept in a file as they are tried, and told as a table. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { changeOf } from './equivalents.ts'
import type { Tried } from './try-mutant.ts'

export type Result = DrawnMutant & (Tried | { readonly outcome: 'equivalent'; readonly reason: string })

export interface Results {
  readonly seed: number
  readonly results: readonly Result[]
  /** Test files that fail without any mutant, each with what failed. */
  readonly broken: Readonly<Record<string, string>>
}

export const readResults = (file: string): Results | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

export function writeResults(file: string, results: Results): void {
  mkdirSync(dirname(file), { recursive: true })
  // Whole or not at all: the run may be ended at any time.
  writeFileSync(`${file}.new`, `${JSON.stringify(results, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

export const describe = (mutant: DrawnMutant): string => {
  const change = changeOf(mutant)
  return `${mutant.file}:${mutant.line} ${mutant.kind}: ${change.length > 160 ? `${change.slice(0, 160)}…` : change}`
}

const OUTCOMES = ['killed', 'equivalent', 'survived'] as const

function row(name: string, results: readonly Result[]): string {
  const counts = OUTCOMES.map((outcome) => results.filter((result) => result.outcome === outcome).length)
  return `| ${[name, results.length, ...counts].join(' | ')} |`
}

const scopeOf = (result: Result): string =>
  result.outcome === 'survived' ? ` ${result.tests} of ${result.ofTests} test files` : ''

export function table({ results, broken }: Results): string {
  const byFolder = Map.groupBy(results, ({ folder }) => folder)
  const byKind = Map.groupBy(results, ({ kind }) => kind)
  const survivors = results.filter(({ outcome }) => outcome === 'survived')
  return [
    '| | tried | killed | equivalent | survived |',
    '|---|---|---|---|---|',
    ...[...byFolder].map(([folder, ofFolder]) => row(folder, ofFolder)),
    ...[...byKind].map(([kind, ofKind]) => row(kind, ofKind)),
    row('all', results),
    '',
    ...survivors.map(
      (survivor) => `survived${scopeOf(survivor)}: ${describe(survivor)}\n    ${survivor.text}`,
    ),
    ...Object.entries(broken).map(([test, fault]) => `fails without a mutant: ${test}: ${fault}`),
  ].join('\n')
}
