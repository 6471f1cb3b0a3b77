/** Finds the test files that execute a mutant: among those that are known, and by running others without it. */
import type { DrawnMutant } from './draw-mutants.ts'
import type { ReachRecord } from './reach.ts'
import type { TestOutcome } from './test-server.ts'
import type { TestsOfFile } from './tests-for.ts'

/** Test files that are explored for one mutant. What they execute is known for the next ones. */
const MOST_EXPLORED = 10

/** With so many of its room there is no need to know them all before one is run. */
const ENOUGH = 3

export interface ReachingTests {
  /** Those that are known now, the quickest first, those that are near before the others. */
  known: (mutant: DrawnMutant, tests: TestsOfFile) => string[]
  /** Runs tests of the room until enough of them are known to execute the mutant. */
  exploreNear: (mutant: DrawnMutant, tests: TestsOfFile) => Promise<void>
  /** Runs one more that is not known; false if there is none. */
  exploreNext: (tests: TestsOfFile) => Promise<boolean>
  /** Seconds that the last mutant took to explore. */
  seconds: number
}

export function findReachingTests(
  reach: ReachRecord,
  run: (test: string) => Promise<TestOutcome>,
): { begin: () => ReachingTests } {
  const knownOf = (tests: readonly string[], mutant: DrawnMutant): string[] =>
    tests
      .flatMap((test) => {
        const found = reach.of(test)
        const isUseful = found !== undefined && found.failure === undefined && reach.isReached(found, mutant)
        return isUseful ? [{ test, seconds: found.seconds }] : []
      })
      .toSorted((one, other) => one.seconds - other.seconds)
      .map(({ test }) => test)

  function begin(): ReachingTests {
    let explored = 0
    const exploreNext = async (tests: TestsOfFile): Promise<boolean> => {
      const next = [...tests.near, ...tests.far].find((test) => reach.of(test) === undefined)
      if (next === undefined || explored === MOST_EXPLORED) return false
      explored += 1
      const from = performance.now()
      const outcome = await run(next)
      const seconds = Math.round(performance.now() - from) / 1000
      reach.add(next, { ...outcome, seconds })
      reaching.seconds += seconds
      return true
    }
    const reaching: ReachingTests = {
      seconds: 0,
      known: (mutant, { near, far }) => [...knownOf(near, mutant), ...knownOf(far, mutant)],
      exploreNear: async (mutant, tests) => {
        const near = { ...tests, far: [] }
        while (knownOf(tests.near, mutant).length < ENOUGH && (await exploreNext(near)));
      },
      exploreNext,
    }
    return reaching
  }
  return { begin }
}
