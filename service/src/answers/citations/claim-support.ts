import { contentWordsOf, exactTermsOf, hasExactTerm, indexWords, type WordIndex } from './content-words.ts'

/** Part of a claim's words that all its evidence together must hold. */
const ENOUGH_TOGETHER = 0.4
/** Part that a single piece must hold when several are cited for one claim. */
const ENOUGH_ALONE = 0.2

const shareOf = (words: readonly string[], index: WordIndex) =>
  words.filter((word) => index.words.has(word)).length / words.length

/**
 * Which of the cited pieces support a claim: together they hold enough of its words and all of its numbers and
 * identifiers, and each adds something. Deterministic, and no proof: it catches citations that cannot be right.
 *
 * @param mayDiffer - the answer is in another language than the evidence: numbers and identifiers alone are compared
 */
export function supportersOf<Key>(
  claim: string,
  pieces: ReadonlyMap<Key, WordIndex>,
  { mayDiffer }: { mayDiffer: boolean },
): Set<Key> {
  const words = [...new Set(contentWordsOf(claim))]
  const exact = exactTermsOf(claim)
  if (words.length === 0) return new Set(pieces.keys())

  const isSupported = (indexes: readonly WordIndex[], share: number) =>
    indexes.length > 0 &&
    (mayDiffer ||
      words.filter((word) => indexes.some((index) => index.words.has(word))).length >=
        share * words.length) &&
    exact.every((term) => indexes.some((index) => hasExactTerm(index, term)))

  const contributors = [...pieces].filter(([, index]) => mayDiffer || shareOf(words, index) >= ENOUGH_ALONE)
  const together = contributors.map(([, index]) => index)
  return new Set(isSupported(together, ENOUGH_TOGETHER) ? contributors.map(([key]) => key) : [])
}

/** The sentence of a text that has most in common with a claim; undefined when none has anything. */
export function closestSentence(claim: string, sentences: readonly string[]): string | undefined {
  const words = new Set(contentWordsOf(claim))
  let best: { sentence: string; score: number } | undefined
  for (const sentence of sentences) {
    const own = new Set(contentWordsOf(sentence))
    const common = [...own].filter((word) => words.has(word)).length
    const exact = exactTermsOf(claim).filter((term) => hasExactTerm(indexWords(sentence), term)).length
    // Divided by length, softly: a long sentence holds more words by chance.
    const score = (common + exact) / Math.sqrt(own.size + 4)
    if (common > 0 && score > (best?.score ?? 0)) best = { sentence, score }
  }
  return best?.sentence
}
