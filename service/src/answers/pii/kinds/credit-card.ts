import type { Span } from '../../../platform/patterns/linear-pattern.ts'
import { continuesWord, hasLuhnDigit, readDigits } from './digit-groups.ts'

/** First digits and lengths by issuer, longest first. */
const ISSUERS: readonly { prefix: RegExp; lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [19, 16, 13] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^3(?:0[0-5]|[68])/, lengths: [19, 16, 14] },
  { prefix: /^(?:6011|65|64[4-9]|62|60|81|35|5[06-9]|6[37])/, lengths: [19, 18, 17, 16] },
]

const MAX_DIGITS = 19

/** No version and no address has parts of four digits. */
const GROUPS_BY_DOTS = /^\d{4}\.\d{4}\./

/** Payment card numbers: an issuer's prefix and length, and a valid check digit. Groups separated by spaces, hyphens or dots. */
export function findCards(text: string): Span[] {
  const spans: Span[] = []
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_])\d/gu)) {
    const last = spans.at(-1)
    if (last !== undefined && index < last.end) continue
    const separators = GROUPS_BY_DOTS.test(text.slice(index, index + 10)) ? '.' : ' -'
    const { digits, ends } = readDigits(text, index, MAX_DIGITS, separators)
    const lengths = ISSUERS.find(({ prefix }) => prefix.test(digits))?.lengths ?? []
    for (const length of lengths) {
      const end = ends[length - 1]
      if (end === undefined || continuesWord(text.charAt(end)) || !hasLuhnDigit(digits.slice(0, length)))
        continue
      spans.push({ start: index, end })
      break
    }
  }
  return spans
}
