import { test, type TestContext, type TestOptions } from 'vitest'
import type { RequirementId } from './requirements.ts'

/**
 * A test that proves sentences of the contract. It cites their ids as literals, so that the gate and the map find them without running
 * the test.
 *
 * @example
 * verifies('feedback.one-per-answer', 'a second rating replaces the first', async () => { … })
 *
 * @param options its timeout in milliseconds, or options of `test`
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  name: string,
  run: (context: TestContext) => Promise<void> | void,
  options: number | TestOptions = {},
): void {
  const given = typeof options === 'number' ? { timeout: options } : options
  test(`${name} [${[ids].flat().join(', ')}]`, given, run)
}
