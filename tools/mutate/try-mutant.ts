/** Runs the tests that execute a mutant until one fails. */
import type { DrawnMutant } from './draw-mutants.ts'
import { createJudge, type JudgeDeps } from './judge-test.ts'
import { findReachingTests } from './reaching-tests.ts'
import type { TestsOfFile } from './tests-for.ts'

/** What so many test files execute without noticing is taken to survive. */
const MOST_TESTS = 10

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

export function createMutantTrier(
  deps: JudgeDeps & {
    testsFor: (file: string) => TestsOfFile
    /** Seconds for a mutant. No further test file is begun after them. */
    limitSeconds: number
  },
): MutantTrier {
  const { reach } = deps
  const judge = createJudge(deps)

  async function tryMutant(mutant: DrawnMutant): Promise<Tried> {
    const all = deps.testsFor(mutant.file)
    using trial = judge.open(mutant, all)
    const began = performance.now()
    const reaching = findReachingTests(all, mutant, reach)
    const tried = new Set<string>()
    const secondsSince = (): number => Math.round((performance.now() - began) / 1000)
    const counts = () => ({
      tests: tried.size,
      ofTests: reaching.known().length,
      seconds: secondsSince(),
    })
    const isTriedEnough = (): boolean =>
      reaching.known().filter((test) => tried.has(test)).length >= MOST_TESTS

    /** Code that runs in other threads or processes, or when a module is imported, has no marks in any record. */
    const unseen = (): string | undefined =>
      reaching.known().length > 0 || tried.size >= MOST_TESTS
        ? undefined
        : all.near.find((test) => !tried.has(test) && reach.of(test)?.failure === undefined)

    while (secondsSince() < deps.limitSeconds && !isTriedEnough()) {
      const test = reaching.next(tried) ?? unseen()
      if (test === undefined) break
      tried.add(test)
      const failure = await trial.failureOf(test)
      if (failure === undefined) continue
      return { outcome: 'killed', killedBy: { test, failure }, ...counts() }
    }
    return { outcome: 'survived', ...counts() }
  }

  return { try: tryMutant }
}
