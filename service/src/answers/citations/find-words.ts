/** A stretch of a text, in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

/** Fewer letters than this are found anywhere. */
const FEWEST_LETTERS = 8

/** Punctuation that is taken with what was found, at most. */
const LONGEST_RUN = 100

/**
 * Finds words in a text by their letters and digits alone: white space, punctuation, marks and case make no difference.
 * What is found reaches to the punctuation that ends it. Few letters are never found.
 *
 * @example
 * createFinder('Set `port` (default: 80). Then…')('set port, default 80') // { start: 0, end: 25 }
 */
export function createFinder(text: string): (words: string) => Span | undefined {
  let known: Letters | undefined
  return (words) => {
    const { letters } = lettersIn(words)
    if (letters.length < FEWEST_LETTERS) return undefined
    known ??= lettersIn(text)
    const found = known.letters.indexOf(letters)
    const start = known.places[found]
    const last = known.places[found + letters.length - 1]
    if (found < 0 || start === undefined || last === undefined) return undefined
    const end =
      last +
      (/^(?:[\p{L}\p{M}\p{N}])[^\s\p{L}\p{M}\p{N}]*/u.exec(text.slice(last, last + LONGEST_RUN))?.[0]
        .length ?? 1)
    const before = text.slice(Math.max(0, start - LONGEST_RUN), start)
    return {
      start: start - (/(?<![^\s\p{L}\p{M}\p{N}])[^\s\p{L}\p{M}\p{N}]*$/u.exec(before)?.[0].length ?? 0),
      end,
    }
  }
}

interface Letters {
  letters: string
  /** Where each unit of `letters` stands in the text. */
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
