import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'

/** What a figure depends on besides the code. */
export interface Machine {
  processor: string
  cores: number
  memoryGb: number
  platform: string
  node: string
  /** Load average over the last minute, before and after. */
  loadBefore: number
  loadAfter?: number
}

export const describeMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  loadBefore: loadavg()[0] ?? 0,
})

/** Writes `bench/results/NAME.json`, and returns its path. */
export function saveResults(
  name: string,
  machine: Machine,
  isQuick: boolean,
  figures: readonly Figure[],
): string {
  const folder = join(import.meta.dirname, '../results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  const result = { measuredAt: new Date().toISOString(), isQuick, seed: 1, machine, figures }
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`)
  return file
}
