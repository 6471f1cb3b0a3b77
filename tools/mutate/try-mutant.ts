/** Writes a mutant into the copy of the tree and runs tests that execute it until one fails. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { applyMutant } from './mutants-of.ts'
import type { ReachRecord } from './reach.ts'
import { findReachingTests } from './reaching-tests.ts'
import type { TestRunner } from './run-test-file.ts'
import type { TestsOfFile } from './tests-for.ts'

/** What so many test files execute without noticing is taken to survive. */
const MOST_TESTS = 10

/** What is kept in the process of the tests is lost with its module, and goes on taking memory. */
const MOST_LOST = 4

/** Twice the slowest test file. */
const UNKNOWN_SECONDS = 30

const isLate = (failure = ''): boolean => /timed out/i.test(failure)

export type Tried = {
  /** Test files that were run. */
  readonly tests: number
  /** Test files that are known to execute it. None if it is executed in another process, or not at all. */
  readonly ofTests: number
  readonly seconds: number
} & (
  | { readonly outcome: 'survived' }
  | { readonly outcome: 'killed'; readonly killedBy: { readonly test: string; readonly failure: string } }
)

export interface MutantTrier {
  try: (mutant: DrawnMutant) => Promise<Tried>
}

export function createMutantTrier(deps: {
  root: string
  runner: Pick<TestRunner, 'run' | 'changed'>
  reach: ReachRecord
  testsFor: (file: string) => TestsOfFile
  /** Seconds for a mutant. No further test file is begun after them. */
  limitSeconds: number
}): MutantTrier {
  const { root, runner, reach } = deps
  let isFresh = false
  let lost = 0

  const run = async (test: string, seconds = UNKNOWN_SECONDS) => {
    if (isFresh) lost = 0
    const outcome = await runner.run(test, { isFresh, limitMs: 90_000 + seconds * 5000 })
    // What timed out may still be at work.
    isFresh = isLate(outcome.failure)
    return outcome
  }

  return {
    try: async (mutant) => {
      const path = join(root, mutant.file)
      const original = readFileSync(path, 'utf8')
      const mutated = applyMutant(original, mutant)
      const all = deps.testsFor(mutant.file)
      let isMutated = false
      const write = (wanted: boolean): void => {
        if (wanted === isMutated) return
        isMutated = wanted
        writeFileSync(path, wanted ? mutated : original)
        runner.changed(mutant.file)
        if (all.isInKept) lost += 1
        isFresh ||= all.isInThreads || lost > MOST_LOST
      }
      const began = performance.now()
      const reaching = findReachingTests(all, mutant, reach)
      const secondsSince = (): number => Math.round((performance.now() - began) / 1000)
      const tried = new Map<string, string | undefined>()
      const ofKnown = (): number => reaching.known().filter((test) => tried.has(test)).length

      /** Why a test fails with the mutant, but not without it. */
      async function failureOf(test: string): Promise<string | undefined> {
        const isKnown = reach.of(test) !== undefined
        write(true)
        const from = performance.now()
        let outcome = await run(test, reach.of(test)?.seconds)
        // A busy machine may be the reason.
        if (isLate(outcome.failure)) outcome = await run(test, reach.of(test)?.seconds)
        const { failure } = outcome
        if (!isKnown && failure === undefined)
          reach.add(test, { ...outcome, seconds: (performance.now() - from) / 1000, mutated: mutant.file })
        if (!isKnown && failure !== undefined && (await explore(test))) return undefined
        return failure
      }

      /** Runs a test without the mutant, to know what it executes. Whether it fails. */
      async function explore(test: string): Promise<boolean> {
        write(false)
        const from = performance.now()
        const outcome = await run(test)
        reach.add(test, { ...outcome, seconds: (performance.now() - from) / 1000 })
        return outcome.failure !== undefined
      }

      async function findKiller(): Promise<string | undefined> {
        while (ofKnown() < MOST_TESTS && secondsSince() < deps.limitSeconds) {
          const test = reaching.next(new Set(tried.keys()))
          if (test === undefined) break
          tried.set(test, await failureOf(test))
          if (tried.get(test) !== undefined) return test
        }
        if (ofKnown() > 0) return undefined
        // Code that runs in other threads or processes, or when a module is imported, has no marks in any record.
        const unseen = all.near.filter((test) => !tried.has(test) && reach.of(test)?.failure === undefined)
        for (const test of unseen.slice(0, MOST_TESTS)) {
          if (secondsSince() >= deps.limitSeconds) break
          tried.set(test, await failureOf(test))
          if (tried.get(test) !== undefined) return test
        }
        return undefined
      }

      try {
        const test = await findKiller()
        const failure = test === undefined ? undefined : tried.get(test)
        const counts = { tests: tried.size, ofTests: reaching.known().length, seconds: secondsSince() }
        return test === undefined || failure === undefined
          ? { outcome: 'survived', ...counts }
          : { outcome: 'killed', killedBy: { test, failure }, ...counts }
      } finally {
        write(false)
      }
    },
  }
}
