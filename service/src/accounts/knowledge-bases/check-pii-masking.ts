import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'
import { compileLinearPattern, PatternError } from '../../platform/patterns/linear-pattern.ts'

interface GivenPatterns {
  custom_patterns?: readonly string[] | undefined
  allow_list?: readonly string[] | undefined
}

function faultOf(path: string, source: string): RefusalDetail[] {
  try {
    compileLinearPattern(source)
    return []
  } catch (fault) {
    if (fault instanceof PatternError) return [{ path, message: fault.message }]
    throw fault
  }
}

/**
 * Refuses patterns that could not be used, while their writer still looks at them.
 *
 * @throws Refusal BAD_REQUEST that names each of them, and why
 */
export function checkPiiMasking(given: GivenPatterns | undefined): void {
  const details = [
    ...(given?.custom_patterns ?? []).flatMap((source, place) =>
      faultOf(`pii_masking.custom_patterns.${place}`, source),
    ),
    // In the allow-list a pattern stands between slashes; anything else is a text.
    ...(given?.allow_list ?? []).flatMap((entry, place) => {
      const source = /^\/(?<source>.+)\/$/.exec(entry)?.groups?.['source']
      return source === undefined ? [] : faultOf(`pii_masking.allow_list.${place}`, source)
    }),
  ]
  if (details.length > 0) throw new Refusal('BAD_REQUEST', { details })
}
