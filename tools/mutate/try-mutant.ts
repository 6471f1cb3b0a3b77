/** Writes a mutant into the copy of the tree and runs tests that execute it until one fails. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { applyMutant } from './mutants-of.ts'
import type { ReachRecord } from './reach.ts'
import type { TestRunner } from './run-test-file.ts'
import type { TestsOfFile } from './tests-for.ts'

/** What so many test files execute without noticing is taken to survive. */
const MOST_TESTS = 6

/** Test files that are explored for one mutant. What they execute is known for the next ones. */
const MOST_EXPLORED = 10

const isLate = (failure = ''): boolean => /timed out|did not end/i.test(failure)

export type Tried = {
  /** Test files that were run. */
  readonly tests: number
  /** Test files that are known to execute it. */
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
  reach: ReachRecord
  testsFor: (file: string) => TestsOfFile
  /** Seconds for a mutant, without the tests that are explored. No further test file is begun after them. */
  limitSeconds: number
}): MutantTrier {
  const { root, runner, reach } = deps
  const broken = new Map<string, string>()
  let isFresh = false

  const run = async (test: string, limitMs?: number) => {
    const outcome = await runner.run(test, { isFresh, ...(limitMs !== undefined && { limitMs }) })
    // What timed out may still be at work.
    isFresh = isLate(outcome.failure)
    return outcome
  }

  /** Runs a test without a mutant, to know what it executes. */
  async function explore(test: string): Promise<number> {
    const began = performance.now()
    const outcome = await run(test)
    const seconds = Math.round(performance.now() - began) / 1000
    reach.add(test, { ...outcome, seconds })
    return seconds
  }

  /** What is known first, the quickest before the others; what is not known in the order of its nearness. */
  function ordered(tests: readonly string[]): string[] {
    const known = tests.filter((test) => reach.of(test) !== undefined)
    const seconds = (test: string): number => reach.of(test)?.seconds ?? 0
    return [
      ...known.toSorted((one, other) => seconds(one) - seconds(other)),
      ...tests.filter((test) => !known.includes(test)),
    ]
  }

  return {
    broken,
    try: async (mutant) => {
      const path = join(root, mutant.file)
      const original = readFileSync(path, 'utf8')
      const mutated = applyMutant(original, mutant)
      const { near, far, isInKept } = deps.testsFor(mutant.file)
      let isMutated = false
      const write = (wanted: boolean): void => {
        if (wanted === isMutated) return
        isMutated = wanted
        writeFileSync(path, wanted ? mutated : original)
        runner.changed(mutant.file)
        isFresh ||= isInKept
      }
      const began = performance.now()
      const secondsSince = (): number => Math.round((performance.now() - began) / 1000)
      let tests = 0
      let explored = 0
      let secondsExploring = 0

      async function failureOf(test: string): Promise<string | undefined> {
        write(true)
        tests += 1
        const limitMs = 60_000 + (reach.of(test)?.seconds ?? 0) * 5000
        const { failure } = await run(test, limitMs)
        // A busy machine may be the reason.
        return isLate(failure) ? (await run(test, limitMs)).failure : failure
      }

      try {
        let ofTests = 0
        const order = [...ordered(near), ...ordered(far)]
        for (const test of order) {
          if (secondsSince() - secondsExploring >= deps.limitSeconds || tests >= MOST_TESTS) break
          if (reach.of(test) === undefined) {
            if (explored === MOST_EXPLORED) break
            explored += 1
            write(false)
            secondsExploring += await explore(test)
          }
          const known = reach.of(test)
          if (known?.failure !== undefined) broken.set(test, known.failure)
          if (known === undefined || known.failure !== undefined) continue
          if (!reach.isReached(known, mutant)) continue
          ofTests += 1
          const failure = await failureOf(test)
          if (failure !== undefined)
            return { outcome: 'killed', killedBy: { test, failure }, tests, ofTests, seconds: secondsSince() }
        }
        // Code that runs in other threads or processes, or when a module is imported, has no marks in any record.
        for (const test of ofTests > 0 ? [] : near.slice(0, MOST_TESTS)) {
          if (reach.of(test) === undefined || broken.has(test)) continue
          const failure = await failureOf(test)
          if (failure !== undefined)
            return { outcome: 'killed', killedBy: { test, failure }, tests, ofTests, seconds: secondsSince() }
        }
        return { outcome: 'survived', tests, ofTests, seconds: secondsSince() }
      } finally {
        write(false)
      }
    },
  }
}
