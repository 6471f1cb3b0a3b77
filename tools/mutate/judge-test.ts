/** Runs a test file on a mutant, in the copy of the tree, and tells why it fails there but not without the mutant. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { applyMutant } from './mutants-of.ts'
import type { ReachRecord } from './reach.ts'
import type { TestRunner } from './run-test-file.ts'
import type { TestOutcome } from './test-server.ts'
import type { TestsOfFile } from './tests-for.ts'

/** What is kept in the process of the tests is lost with its module, and goes on taking memory. */
const MOST_LOST = 4

/** Twice the slowest test file. */
const UNKNOWN_SECONDS = 30

/** Besides five times what the test takes. A new process imports the service first. */
const LIMIT_MS = { warm: 30_000, cold: 120_000 }

export interface JudgeDeps {
  root: string
  runner: Pick<TestRunner, 'run' | 'changed'>
  reach: ReachRecord
}

/** A mutant on trial. Without it the copy is as before. */
export interface Trial extends Disposable {
  failureOf: (test: string) => Promise<string | undefined>
}

const isLate = (failure = ''): boolean => /timed out|did not end/i.test(failure)

export function createJudge({ root, runner, reach }: JudgeDeps) {
  let isFresh = false
  let isCold = true
  let lost = 0

  async function run(test: string): Promise<TestOutcome & { seconds: number }> {
    if (isFresh) lost = 0
    const began = performance.now()
    const seconds = reach.of(test)?.seconds ?? UNKNOWN_SECONDS
    const limitMs = LIMIT_MS[isFresh || isCold ? 'cold' : 'warm'] + seconds * 5000
    const outcome = await runner.run(test, { isFresh, limitMs })
    // What timed out may still be at work.
    isFresh = isLate(outcome.failure)
    isCold = isFresh
    return { ...outcome, seconds: Math.round(performance.now() - began) / 1000 }
  }

  function open(mutant: DrawnMutant, { near, isInKept, isInThreads }: TestsOfFile): Trial {
    const path = join(root, mutant.file)
    const original = readFileSync(path, 'utf8')
    const mutated = applyMutant(original, mutant)
    let isMutated = false

    function write(wanted: boolean): void {
      if (wanted === isMutated) return
      isMutated = wanted
      writeFileSync(path, wanted ? mutated : original)
      runner.changed(mutant.file)
      if (isInKept) lost += 1
      isFresh ||= isInThreads || lost > MOST_LOST
    }

    async function failureOf(test: string): Promise<string | undefined> {
      const isKnown = reach.of(test) !== undefined
      write(true)
      const outcome = await run(test)
      if (outcome.failure === undefined) {
        if (!isKnown) reach.add(test, { ...outcome, mutated: mutant.file })
        return undefined
      }
      // A test of the room that is known to pass means it. Others may fail because the machine is busy, or after another mutant.
      if (isKnown && near.includes(test) && !isLate(outcome.failure)) return outcome.failure
      write(false)
      const without = await run(test)
      if (!isKnown) reach.add(test, without)
      if (without.failure !== undefined) return undefined
      write(true)
      return (await run(test)).failure
    }

    return { failureOf, [Symbol.dispose]: () => write(false) }
  }

  return { open }
}
