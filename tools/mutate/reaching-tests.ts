/** Finds the test files that execute a mutant: among those that are known, and by running others without it. */
import type { DrawnMutant } from './draw-mutants.ts'
import type { ReachRecord } from './reach.ts'
import type { TestOutcome } from './test-server.ts'
import type { TestsOfFile } from './tests-for.ts'

/** Test files that are explored for one mutant. What they execute is known for the next ones. */
const MOST_EXPLORED = 4

export interface ReachingTests {
  /** The test that may see the mutant and is next, the quickest first; undefined if there is no other. Explores those that are not known. */
  next: (tried: ReadonlySet<string>) => Promise<string | undefined>
  /** How many are known to execute it. */
  count: () => number
  /** That exploring took. */
  seconds: () => number
}

export function findReachingTests(
  { near, far }: TestsOfFile,
  mutant: DrawnMutant,
  { reach, run }: { reach: ReachRecord; run: (test: string) => Promise<TestOutcome> },
): ReachingTests {
  let explored = 0
  let seconds = 0

  const known = (tests: readonly string[]): string[] =>
    tests
      .flatMap((test) => {
        const found = reach.of(test)
        const isUseful = found !== undefined && found.failure === undefined && reach.isReached(found, mutant)
        return isUseful ? [{ test, seconds: found.seconds }] : []
      })
      .toSorted((one, other) => one.seconds - other.seconds)
      .map(({ test }) => test)

  async function explore(test: string): Promise<void> {
    explored += 1
    const from = performance.now()
    const outcome = await run(test)
    const taken = Math.round(performance.now() - from) / 1000
    reach.add(test, { ...outcome, seconds: taken })
    seconds += taken
  }

  return {
    next: async (tried) => {
      for (const tests of [near, far]) {
        const unknown = tests.filter((test) => reach.of(test) === undefined)
        let found = known(tests).find((test) => !tried.has(test))
        while (found === undefined && unknown.length > 0 && explored < MOST_EXPLORED) {
          await explore(unknown.shift() ?? '')
          found = known(tests).find((test) => !tried.has(test))
        }
        if (found !== undefined) return found
      }
      return undefined
    },
    count: () => known([...near, ...far]).length,
    seconds: () => seconds,
  }
}
