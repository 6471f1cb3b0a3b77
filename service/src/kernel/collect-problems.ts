/** A check of something that others have: yields the problems, and returns what it found. */
export type Check<Result> = AsyncGenerator<string, Result> | Promise<Result>

/** Runs a check to its end: adds its problems to a list, and returns what it found. */
export async function collectProblems<Result>(check: Check<Result>, problems: string[]): Promise<Result> {
  if (check instanceof Promise) return await check
  for (let step = await check.next(); ; step = await check.next()) {
    if (step.done === true) return step.value
    problems.push(step.value)
  }
}
