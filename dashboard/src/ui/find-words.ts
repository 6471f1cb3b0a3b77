/** Letters and digits, which survive markup and line breaks. */
const LETTER = /[\p{L}\p{N}]/u

/** Longest text that is searched, and longest words that are looked for. */
const MAX_TEXT = 40_000
const MAX_WORDS = 4_000
/** Longest address of a link that is passed over. */
const MAX_ADDRESS = 1_000

/** The language behind the fence of a code block. */
const FENCE = /^ {0,3}(?:```|~~~)/

/**
 * Where a reader sees nothing of Markdown from here on: behind a fence to the end of its line, and the address of a link.
 *
 * @returns the place behind it; `at` itself if what stands there is seen
 */
function behindUnseen(markdown: string, at: number): number {
  const isLineStart = at === 0 || markdown[at - 1] === '\n'
  if (isLineStart && FENCE.test(markdown.slice(at, at + 6))) {
    const end = markdown.indexOf('\n', at)
    return end < 0 ? markdown.length : end
  }
  if (markdown[at] !== ']' || markdown[at + 1] !== '(') return at
  const length = markdown.slice(at, at + MAX_ADDRESS).search(/[)\n]/)
  return length < 0 || markdown[at + length] === '\n' ? at : at + length
}

/** The letters that a reader sees of Markdown, in lower case, and the place of each in it. */
function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = []
  let letters = ''
  let at = 0
  while (at < text.length) {
    const seenFrom = behindUnseen(text, at)
    const letter = text[seenFrom] ?? ''
    if (LETTER.test(letter)) {
      letters += letter.toLowerCase()[0] ?? ''
      places.push(seenFrom)
    }
    at = seenFrom + 1
  }
  return { letters, places }
}

/**
 * Where words are in a text, whatever markup and spaces are between them.
 *
 * @returns the part of the text from their first letter to behind their last; undefined if it does not have them
 */
export function findWords(text: string, words: string): { from: number; to: number } | undefined {
  const within = lettersOf(text.slice(0, MAX_TEXT))
  const { letters } = lettersOf(words.slice(0, MAX_WORDS))
  if (letters === '') return undefined
  const at = within.letters.indexOf(letters)
  const [from, last] = [within.places[at], within.places[at + letters.length - 1]]
  return at < 0 || from === undefined || last === undefined ? undefined : { from, to: last + 1 }
}
