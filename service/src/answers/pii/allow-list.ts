import { compileLinearPattern } from '../../platform/patterns/linear-pattern.ts'

/** `/…/` is a pattern that has to fit all of what was found; anything else is that text itself. */
const PATTERN = /^\/(?<source>.+)\/$/

/**
 * Tells what an owner does not want masked. Upper and lower case are the same for texts.
 *
 * @throws PatternError for a pattern that cannot be used
 */
export function createAllowList(entries: readonly string[]): (found: string) => boolean {
  const texts = new Set<string>()
  const patterns = entries.flatMap((entry) => {
    const source = PATTERN.exec(entry)?.groups?.['source']
    if (source !== undefined) return [compileLinearPattern(source)]
    texts.add(entry.toLowerCase())
    return []
  })
  return (found) => texts.has(found.toLowerCase()) || patterns.some((pattern) => pattern.fits(found))
}
