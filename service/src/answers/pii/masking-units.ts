/** Longest stretch that is looked at at once, in UTF-16 units. One line of a text rarely is. */
const LONGEST_UNIT = 2_000

/** Beyond this a word is cut, wherever that is. */
const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text.charAt(at))

/** What may be the first part of a number that goes on behind a space: a digit in it, an open bracket, two capitals (an IBAN). */
const MAY_GO_ON = /\d|[(+]$|(?:^|[^\p{L}])[A-Z]{2}$/u

/** What says of the number behind it that it is a version: the two are looked at together. */
export const SAYS_VERSION = /(?:\b(?:v|ver\.?|versions?|releases?|build|rev(?:ision)?):?|[<>=~^]=?)[ \t]*$/i

/** End of the last unit that fits, where no end comes in time. */
function forcedEnd(text: string): number {
  const space = text.slice(0, LONGEST_UNIT).search(/\s\S*$/)
  if (space > LONGEST_UNIT / 2) return space + 1
  return isHighSurrogate(text, LONGEST_UNIT - 1) ? LONGEST_UNIT - 1 : LONGEST_UNIT
}

/**
 * Where the first unit of a text ends, as far as its beginning tells; undefined while more has to come.
 *
 * A unit is a stretch that nothing to be masked can reach over: a line, or, where `wholeLines` is not asked for, words up to a
 * space that no number goes over. It depends on the text alone, so that a text is masked alike whole and in any pieces.
 */
export function unitEnd(text: string, wholeLines: boolean): number | undefined {
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text.length : newline
  if (!wholeLines) {
    const spaces = /[ \t]/g
    let wordStart = 0
    for (let found = spaces.exec(text); found !== null; found = spaces.exec(text)) {
      const at = found.index
      if (at >= line || at >= LONGEST_UNIT) break
      const word = text.slice(wordStart, at)
      if (word !== '' && !MAY_GO_ON.test(word) && !SAYS_VERSION.test(word)) return at + 1
      wordStart = at + 1
    }
  }
  if (line >= LONGEST_UNIT) return forcedEnd(text)
  return newline < 0 ? undefined : newline + 1
}
