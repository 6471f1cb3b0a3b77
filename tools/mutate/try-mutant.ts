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
const MOST_TESTS = 15

/** What is kept in the process of the tests is lost with its module, and goes on taking memory. */
const MOST_LOST = 4

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
  /** Seconds for a mutant, without the tests that are explored. No further test file is begun after them. */
  limitSeconds: number
}): MutantTrier {
  const { root, runner, reach } = deps
  let isFresh = false
  let lost = 0

  const run = async (test: string, limitMs?: number) => {
    if (isFresh) lost = 0
    const outcome = await runner.run(test, { isFresh, ...(limitMs !== undefined && { limitMs }) })
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
      const reaching = findReachingTests(all, mutant, {
        reach,
        run: async (test) => {
          write(false)
          return await run(test)
        },
      })
      const secondsSince = (): number => Math.round((performance.now() - began) / 1000)
      const tried = new Map<string, string | undefined>()

      async function failureOf(test: string): Promise<string | undefined> {
        write(true)
        const limitMs = 90_000 + (reach.of(test)?.seconds ?? 0) * 5000
        const { failure } = await run(test, limitMs)
        // A busy machine may be the reason.
        const confirmed = isLate(failure) ? (await run(test, limitMs)).failure : failure
        tried.set(test, confirmed)
        return confirmed
      }

      async function findKiller(): Promise<string | undefined> {
        while (tried.size < MOST_TESTS && secondsSince() - reaching.seconds() < deps.limitSeconds) {
          const test = await reaching.next(new Set(tried.keys()))
          if (test === undefined) break
          if ((await failureOf(test)) !== undefined) return test
        }
        // Code that runs in other threads or processes, or when a module is imported, has no marks in any record.
        const unseen = tried.size > 0 ? [] : all.near.filter((test) => reach.of(test)?.failure === undefined)
        for (const test of unseen.slice(0, MOST_TESTS)) if ((await failureOf(test)) !== undefined) return test
        return undefined
      }

      try {
        const test = await findKiller()
        const failure = test === undefined ? undefined : tried.get(test)
        const counts = { tests: tried.size, ofTests: reaching.count(), seconds: secondsSince() }
        return test === undefined || failure === undefined
          ? { outcome: 'survived', ...counts }
          : { outcome: 'killed', killedBy: { test, failure }, ...counts }
      } finally {
        write(false)
      }
    },
  }
}
