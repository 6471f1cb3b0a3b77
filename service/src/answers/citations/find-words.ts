/** A range of a text, in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

/** Fewer letters than this would match anywhere. */
const MIN_LETTERS = 8

/** Maximum length of trailing punctuation that is included in a match. */
const MAX_RUN = 100

/**
 * Finds words in a text by their letters and digits only: white space, punctuation, diacritics and case are ignored.
 * A match includes the punctuation that follows it. Very short words are never found.
 *
 * @example
 * createFinder('Set `port` (default: 80). Then…')('set port, default 80') // { start: 0, end: 25 }
 */
export function createFinder(text: string): (words: string) => Span | undefined {
  let known: Letters | undefined
  return (words) => {
    const { letters } = lettersIn(words)
    if (letters.length < MIN_LETTERS) return undefined
    known ??= lettersIn(text)
    const found = known.letters.indexOf(letters)
    const start = known.places[found]
    const last = known.places[found + letters.length - 1]
    if (found < 0 || start === undefined || last === undefined) return undefined
    const end =
      last +
      (/^(?:[\p{L}\p{M}\p{N}])[^\s\p{L}\p{M}\p{N}]*/u.exec(text.slice(last, last + MAX_RUN))?.[0].length ?? 1)
    const before = text.slice(Math.max(0, start - MAX_RUN), start)
    return {
      start: start - (/(?<![^\s\p{L}\p{M}\p{N}])[^\s\p{L}\p{M}\p{N}]*$/u.exec(before)?.[0].length ?? 0),
      end,
    }
  }
}

interface Letters {
  letters: string
  /** Offset in the text of each unit of `letters`. */
  places: number[]
}

function lettersIn(text: string): Letters {
  const places: number[] = []
  let letters = ''
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]/gu)) {
    const letter = match[0].normalize('NFKC').toLowerCase()
    letters += letter
    for (let unit = 0; unit < letter.length; unit += 1) places.push(match.index)
  }
  return { letters, places }
}
