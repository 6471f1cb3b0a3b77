/** Letters and digits, which survive markup and line breaks. */
const LETTER = /[\p{L}\p{N}]/u

/** Longest text that is searched, and longest words that are looked for. */
const MAX_TEXT = 40_000
const MAX_WORDS = 4_000

/** The letters of a text in lower case, and the place of each in it. */
function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = []
  let letters = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (!LETTER.test(letter)) continue
    letters += letter.toLowerCase()[0] ?? ''
    places.push(at)
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
