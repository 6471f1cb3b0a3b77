/** The mutants that no test can kill, because the service does the same with them: equivalent.json, each with its reason. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'

export interface Equivalent {
  readonly file: string
  /** The function or constant of the file that it is in. */
  readonly within: string
  /** The line, without its indentation. */
  readonly text: string
  /** As the report tells it. */
  readonly change: string
  readonly reason: string
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** A change in one line, to read and to compare. */
export const changeOf = ({ before, after }: Pick<DrawnMutant, 'before' | 'after'>): string =>
  `${inOneLine(before)} → ${inOneLine(after) || 'nothing'}`

export const readEquivalents = (): Equivalent[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'))

export const isOf = ({ file, within, text, change }: Equivalent, mutant: DrawnMutant): boolean =>
  file === mutant.file && within === mutant.within && text === mutant.text && change === changeOf(mutant)
