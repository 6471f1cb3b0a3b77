import { contentWordsOf, exactTermsOf, hasExactTerm, type WordIndex } from './content-words.ts'

/** Part of a claim's words that all its evidence together must hold. */
const ENOUGH_TOGETHER = 0.4
/** The same for a claim of few words, two of which stand in many places by chance. */
const ENOUGH_OF_FEW = 0.5
const FEW_WORDS = 6
/** Part that a piece must add when several are cited for one claim. */
const ENOUGH_ADDED = 0.2
/** What is cited must hold so much of what any other piece does: else that one is meant, or neither. */
const NEAR_THE_BEST = 0.75
/**
 * Words of a piece, or twice those of a longer claim, that may say a claim between them: two or three sentences. All over
 * a page, words of its subject are found that say something else together.
 */
const STRETCH_WORDS = 30

/** A piece of evidence that claims are compared with. */
export interface SupportPiece {
  /** Numbers and identifiers may stand anywhere in it. */
  index: WordIndex
  /** Words that hold for all of it: titles, headings, its version. */
  heading: ReadonlySet<string>
  /** Words of its sentences, in order. */
  sentences: readonly ReadonlySet<string>[]
}

interface Held {
  piece: SupportPiece
  /** Those of a claim's words that the piece holds in one stretch, the one that holds most of them. */
  words: ReadonlySet<string>
}

/** @param length - words of the claim, repeated ones included */
function holdsOf(words: readonly string[], length: number, piece: SupportPiece): Held {
  const { heading, sentences } = piece
  const room = Math.max(STRETCH_WORDS, 2 * length)
  let best = words.filter((word) => heading.has(word))
  for (const start of sentences.keys()) {
    const stretch = new Set(heading)
    let taken = 0
    for (let next = start; next < sentences.length && taken < room; next += 1) {
      for (const word of sentences[next] ?? []) stretch.add(word)
      taken += sentences[next]?.size ?? 0
    }
    const held = words.filter((word) => stretch.has(word))
    if (held.length > best.length) best = held
  }
  return { piece, words: new Set(best) }
}

/**
 * Which of the cited pieces support a claim: together they hold enough of its words, each in a few sentences, and all of
 * its numbers and identifiers; each adds something or says it as well as any; and nothing else that was offered says it
 * much better. Deterministic, and no proof: it catches citations that cannot be right.
 *
 * @param mayDiffer - the answer is in another language than the evidence: numbers and identifiers alone are compared
 */
export function supportersOf<Key>(
  claim: string,
  cited: readonly Key[],
  offered: ReadonlyMap<Key, SupportPiece>,
  { mayDiffer }: { mayDiffer: boolean },
): Set<Key> {
  const all = contentWordsOf(claim)
  const words = [...new Set(all)]
  if (words.length === 0) return new Set(cited.filter((key) => offered.has(key)))
  const held = [...offered].map(([key, piece]) => ({ key, ...holdsOf(words, all.length, piece) }))
  const most = Math.max(0, ...held.map((each) => each.words.size))

  const supporters: typeof held = []
  let together: ReadonlySet<string> = new Set()
  const strongestFirst = held
    .filter(({ key }) => cited.includes(key))
    .toSorted((left, right) => right.words.size - left.words.size)
  for (const each of strongestFirst) {
    const both = new Set([...together, ...each.words])
    const adds = both.size - together.size >= ENOUGH_ADDED * words.length
    if (!(mayDiffer || adds || each.words.size >= NEAR_THE_BEST * most)) continue
    supporters.push(each)
    together = both
  }
  const enough = words.length <= FEW_WORDS ? ENOUGH_OF_FEW : ENOUGH_TOGETHER
  const isSupported =
    supporters.length > 0 &&
    (mayDiffer || together.size >= Math.max(enough * words.length, NEAR_THE_BEST * most)) &&
    exactTermsOf(claim).every((term) => supporters.some(({ piece }) => hasExactTerm(piece.index, term)))
  return new Set(isSupported ? supporters.map(({ key }) => key) : [])
}

/** The sentence that has most in common with a claim; undefined when none has anything. */
export function closestSentence<Sentence extends { index: WordIndex }>(
  claim: string,
  sentences: readonly Sentence[],
): Sentence | undefined {
  const words = new Set(contentWordsOf(claim))
  const terms = exactTermsOf(claim)
  let best: { sentence: Sentence; score: number } | undefined
  for (const sentence of sentences) {
    const own = sentence.index.words
    const common = [...own].filter((word) => words.has(word)).length
    const exact = terms.filter((term) => hasExactTerm(sentence.index, term)).length
    // Divided by length, softly: a long sentence holds more words by chance.
    const score = (common + exact) / Math.sqrt(own.size + 4)
    if (common > 0 && score > (best?.score ?? 0)) best = { sentence, score }
  }
  return best?.sentence
}
