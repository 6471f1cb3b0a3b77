import { compileLinearPattern } from '../../platform/patterns/linear-pattern.ts'

/** `/…/` is a pattern that must match the whole finding; anything else is literal text. */
const PATTERN = /^\/(?<source>.+)\/$/

/**
 * Recognizes findings that the owner does not want masked. Literal texts are compared without regard to case. Patterns are compared until a
 * time on the monotonic clock.
 *
 * @throws PatternError for an invalid pattern
 */
export function createAllowList(entries: readonly string[]): (found: string, until: number) => boolean {
  const texts = new Set<string>()
  const patterns = entries.flatMap((entry) => {
    const source = PATTERN.exec(entry)?.groups?.['source']
    if (source !== undefined) return [compileLinearPattern(source)]
    texts.add(entry.toLowerCase())
    return []
  })
  return (found, until) =>
    texts.has(found.toLowerCase()) ||
    patterns.some((pattern) => performance.now() < until && pattern.fits(found))
}
