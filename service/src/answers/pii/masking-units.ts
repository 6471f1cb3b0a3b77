import { withoutInvisible } from './visible-text.ts'

/** Maximum length of a unit, in UTF-16 units. A line of text is rarely longer. */
const MAX_UNIT_LENGTH = 2_000

/** A word beyond the maximum length is cut anywhere, but not within a surrogate pair. */
const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text.charAt(at))

/** What may be the first part of a number that continues after a space: it has a digit, an open bracket, or two capitals (an IBAN). */
const MAY_CONTINUE = /\p{Nd}|[(+（＋]$|(?:^|[^\p{L}])[A-Z]{2}$/u

/** Four letters after a group with digits: the bank in an IBAN, as in `NL91 ABNA 0417 1643 00`. */
const mayNameBank = (word: string, before: string) => /^[A-Za-z]{4}$/.test(word) && /\p{Nd}/u.test(before)

/** Words that mark the following number as a version: they must be in the same unit. */
export const VERSION_MARKER = /(?:\b(?:v|ver\.?|versions?|releases?|build|rev(?:ision)?):?|[<>=~^]=?)[ \t]*$/i

/** The offsets after those spaces of the first line that no number spans, within the maximum length. */
function* safeEnds(text: string): Generator<number, void, void> {
  const newline = text.indexOf('\n')
  const most = Math.min(newline < 0 ? text.length : newline, MAX_UNIT_LENGTH)
  const spaces = /[ \t]/g
  let wordStart = 0
  let before = ''
  for (let found = spaces.exec(text); found !== null && found.index < most; found = spaces.exec(text)) {
    const word = withoutInvisible(text.slice(wordStart, found.index))
    wordStart = found.index + 1
    if (word === '') continue
    if (!MAY_CONTINUE.test(word) && !VERSION_MARKER.test(word) && !mayNameBank(word, before)) yield wordStart
    before = word
  }
}

/** End of the longest unit that fits, if no natural end occurs in time. */
function forcedEnd(text: string): number {
  const safe = [...safeEnds(text)].at(-1) ?? 0
  if (safe > MAX_UNIT_LENGTH / 2) return safe
  const space = text.slice(0, MAX_UNIT_LENGTH).search(/\s\S*$/)
  if (space > MAX_UNIT_LENGTH / 2) return space + 1
  return isHighSurrogate(text, MAX_UNIT_LENGTH - 1) ? MAX_UNIT_LENGTH - 1 : MAX_UNIT_LENGTH
}

/**
 * The end of the first unit of a text, as far as it can be determined; undefined while more text is needed.
 *
 * A unit is a stretch that no finding can cross: a line, or, without `wholeLines`, words up to a space that no number
 * spans. It depends only on the text, so that a text is masked the same as a whole and in any pieces.
 */
export function unitEnd(text: string, wholeLines: boolean): number | undefined {
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text.length : newline
  if (!wholeLines) {
    const { value: first } = safeEnds(text).next()
    if (first !== undefined) return first
  }
  if (line >= MAX_UNIT_LENGTH) return forcedEnd(text)
  return newline < 0 ? undefined : newline + 1
}
