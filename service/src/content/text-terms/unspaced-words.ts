/** Chinese characters, Japanese syllables and Korean ones: two of them carry as much as a word elsewhere. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

// The dictionaries are the same for every language given here; the script decides.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Each two neighbouring characters of a word. */
function pairs(word: string): string[] {
  const characters = Array.from(word)
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
}

/** A dense word of three characters or more may be cut another way in the question: its pairs count as well. */
const withPairs = (word: string) =>
  DENSE.test(word) && Array.from(word).length > 2 ? [word, ...pairs(word)] : [word]

/** Whether a run of letters has to be cut by other means than its spaces, or stems. */
export const isUnspaced = (run: string): boolean => UNSPACED.test(run) || DENSE.test(run)

/**
 * The words of a run of letters in a script that does not separate them. Korean separates words, and hangs endings on
 * them: there the pairs find the word within.
 */
export function unspacedWords(run: string): string[] {
  if (!UNSPACED.test(run)) return withPairs(run)
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => withPairs(segment))
}
