/** The test files that may execute a mutant, in the order in which they are tried. */
import type { DrawnMutant } from './draw-mutants.ts'
import type { ReachRecord } from './reach.ts'
import { type TestsOfFile, unlikeness } from './tests-for.ts'

/** Test files that are tried with a mutant without knowing what they execute. It is known for the next ones then. */
const MOST_UNKNOWN = 6

export interface ReachingTests {
  /**
   * The next one: those of the room before the others, and among them those that are known to execute the mutant, that of its file first and
   * then the quickest, before those of which nothing is known.
   */
  next: (tried: ReadonlySet<string>) => string | undefined
  /** Those that are known to execute it. */
  known: () => string[]
}

export function findReachingTests(
  { near, far }: TestsOfFile,
  mutant: DrawnMutant,
  reach: ReachRecord,
): ReachingTests {
  let unknown = 0

  const known = (tests: readonly string[]): string[] =>
    tests
      .flatMap((test) => {
        const found = reach.of(test)
        const isUseful = found !== undefined && found.failure === undefined && reach.isReached(found, mutant)
        return isUseful ? [{ test, rank: unlikeness(mutant.file, test) === 0 ? -1 : found.seconds }] : []
      })
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ test }) => test)

  return {
    next: (tried) => {
      for (const tests of [near, far]) {
        const found = known(tests).find((test) => !tried.has(test))
        if (found !== undefined) return found
        const other = tests.find((test) => !tried.has(test) && reach.of(test) === undefined)
        if (other === undefined || unknown === MOST_UNKNOWN) continue
        unknown += 1
        return other
      }
      return undefined
    },
    known: () => known([...near, ...far]),
  }
}
