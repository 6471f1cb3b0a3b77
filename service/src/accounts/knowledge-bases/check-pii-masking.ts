import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'
import { compileLinearPattern, PatternError } from '../../platform/patterns/linear-pattern.ts'

interface GivenPatterns {
  custom_patterns?: readonly string[] | undefined
  allow_list?: readonly string[] | undefined
}

function errorOf(path: string, source: string): RefusalDetail[] {
  try {
    compileLinearPattern(source)
    return []
  } catch (error) {
    if (error instanceof PatternError) return [{ path, message: error.message }]
    throw error
  }
}

/**
 * Refuses invalid patterns when they are saved, so that their author can correct them.
 *
 * @throws Refusal BAD_REQUEST that lists each of them with the reason
 */
export function checkPiiMasking(given: GivenPatterns | undefined): void {
  const details = [
    ...(given?.custom_patterns ?? []).flatMap((source, index) =>
      errorOf(`pii_masking.custom_patterns.${index}`, source),
    ),
    // In the allow-list a pattern is enclosed in slashes; anything else is literal text.
    ...(given?.allow_list ?? []).flatMap((entry, index) => {
      const source = /^\/(?<source>.+)\/$/.exec(entry)?.groups?.['source']
      return source === undefined ? [] : errorOf(`pii_masking.allow_list.${index}`, source)
    }),
  ]
  if (details.length > 0) throw new Refusal('BAD_REQUEST', { details })
}
