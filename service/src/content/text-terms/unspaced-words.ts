import { UNSPACED_SCRIPT } from '../../kernel/unspaced-script.ts'

/** Chinese characters, Japanese and Korean syllables: two of them carry as much meaning as a word elsewhere. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

// The dictionaries are the same for every locale given here; the script decides.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** Each pair of adjacent characters of a word. */
function pairs(word: string): string[] {
  const characters = Array.from(word)
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
}

/** A dense word of three or more characters may be segmented differently in the question, so its pairs are included as well. */
const withPairs = (word: string) =>
  DENSE.test(word) && Array.from(word).length > 2 ? [word, ...pairs(word)] : [word]

/** Whether a run of letters cannot be split at spaces or stemmed. */
export const isUnspaced = (run: string): boolean => UNSPACED_SCRIPT.test(run) || DENSE.test(run)

/**
 * The words of a run of letters in a script that does not separate words. Korean separates words but attaches endings to them: there the
 * pairs find the word within.
 */
export function unspacedWords(run: string): string[] {
  if (!UNSPACED_SCRIPT.test(run)) return withPairs(run)
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => withPairs(segment))
}
