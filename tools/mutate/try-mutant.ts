/** Writes a mutant into the copy of the tree and runs tests until one fails. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { applyMutant } from './mutants-of.ts'
import type { TestRunner } from './run-test-file.ts'

export type Tried = {
  /** Test files that were run. */
  readonly tests: number
  /** Test files that can see the file. */
  readonly ofTests: number
  readonly seconds: number
} & (
  | { readonly outcome: 'survived' }
  | { readonly outcome: 'killed'; readonly killedBy: { readonly test: string; readonly failure: string } }
)

export interface MutantTrier {
  try: (mutant: DrawnMutant) => Promise<Tried>
  /** Test files that fail without any mutant, which therefore prove nothing, each with what failed. */
  readonly broken: ReadonlyMap<string, string>
}

export function createMutantTrier(deps: {
  root: string
  runner: Pick<TestRunner, 'run' | 'changed'>
  /** The tests that can see a file, in the order they are run. */
  testsFor: (file: string) => readonly string[]
  /** Test files that are known to pass without a mutant. */
  sound: Iterable<string>
  /** Whether all are taken to pass without a mutant, except those that time out. */
  isTrusting: boolean
  /** Seconds for a mutant. No further test file is begun after them. */
  limitSeconds: number
}): MutantTrier {
  const { root, runner, testsFor } = deps
  const sound = new Set(deps.sound)
  const broken = new Map<string, string>()

  /** Why a test file fails with the mutant, unless it does so without it. */
  async function failureOf(test: string, write: (isMutated: boolean) => void): Promise<string | undefined> {
    write(true)
    const { failure } = await runner.run(test)
    if (failure === undefined) {
      sound.add(test)
      return undefined
    }
    const isTrusted = deps.isTrusting && !/timed out|did not end/.test(failure)
    if (!isTrusted && !sound.has(test)) {
      write(false)
      const { failure: fault } = await runner.run(test)
      if (fault !== undefined) {
        broken.set(test, fault)
        return undefined
      }
      sound.add(test)
    }
    return failure
  }

  return {
    broken,
    try: async (mutant) => {
      const path = join(root, mutant.file)
      const original = readFileSync(path, 'utf8')
      const mutated = applyMutant(original, mutant)
      const write = (isMutated: boolean): void => {
        writeFileSync(path, isMutated ? mutated : original)
        runner.changed(mutant.file)
      }
      const began = performance.now()
      const secondsSince = (): number => Math.round((performance.now() - began) / 1000)
      const all = testsFor(mutant.file)
      let tests = 0
      const tried = () => ({ tests, ofTests: all.length, seconds: secondsSince() })
      try {
        for (const test of all) {
          if (secondsSince() >= deps.limitSeconds) break
          if (broken.has(test)) continue
          tests += 1
          const failure = await failureOf(test, write)
          if (failure !== undefined) return { outcome: 'killed', killedBy: { test, failure }, ...tried() }
        }
        return { outcome: 'survived', ...tried() }
      } finally {
        write(false)
      }
    },
  }
}
