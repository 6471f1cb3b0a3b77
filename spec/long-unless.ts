import type { TestOptions } from 'vitest'

/**
 * Options of one of several like tests: all but the quick ones have the tag `long`, which `npm test` leaves out.
 *
 * @example
 * for (const size of SIZES) test(`a body of ${size} bytes`, longUnless(size === SIZES[0]), async () => { … })
 */
export const longUnless = (isQuick: boolean, options: TestOptions = {}): TestOptions =>
  isQuick ? options : { ...options, tags: ['long'] }
