import { contentWordsOf, exactTermsOf, hasExactTerm, type WordIndex } from './content-words.ts'

/** Minimum share of a claim's words that all its evidence together must contain. */
const MIN_SHARE_TOGETHER = 0.4
/** The same for a claim of few words, since two words co-occur in many places by chance. */
const MIN_SHARE_OF_FEW = 0.5
const FEW_WORDS = 6
/** Minimum share of words that each piece must add if several are cited for one claim. */
const MIN_SHARE_ADDED = 0.2
/** Minimum support of a cited piece relative to the best piece. Below it, the better one is meant, or neither. */
const MIN_RELATIVE_SUPPORT = 0.75
/**
 * Window of words in a piece, or twice the length of a longer claim, in which the words of a claim must occur: two or three
 * sentences. A whole page contains enough words of its subject to match a claim that it does not make.
 */
const STRETCH_WORDS = 30

/** An indexed piece of evidence that claims are compared with. */
export interface SupportPiece {
  /** Numbers and identifiers, which may occur anywhere in it. */
  index: WordIndex
  /** Words that apply to all of it: titles, headings, its version. */
  heading: ReadonlySet<string>
  /** Words of its sentences, in order. */
  sentences: readonly ReadonlySet<string>[]
}

interface Match {
  piece: SupportPiece
  /** The claim's words found in the best-matching window of the piece. */
  words: ReadonlySet<string>
}

/** @param length - words of the claim, repeated ones included */
function bestMatch(words: readonly string[], length: number, piece: SupportPiece): Match {
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
 * Which of the cited pieces support a claim: together they contain enough of its words, each within a few sentences, and all of
 * its numbers and identifiers; each adds words or matches as well as any other; and no other offered piece matches much
 * better. Deterministic, and not a proof: it catches citations that cannot be right.
 *
 * @param mayDiffer - the answer is in another language than the evidence: only numbers and identifiers are compared
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
  const held = [...offered].map(([key, piece]) => ({ key, ...bestMatch(words, all.length, piece) }))
  const most = Math.max(0, ...held.map((each) => each.words.size))

  const supporters: typeof held = []
  let together: ReadonlySet<string> = new Set()
  const strongestFirst = held
    .filter(({ key }) => cited.includes(key))
    .toSorted((left, right) => right.words.size - left.words.size)
  for (const each of strongestFirst) {
    const both = new Set([...together, ...each.words])
    const adds = both.size - together.size >= MIN_SHARE_ADDED * words.length
    if (!(mayDiffer || adds || each.words.size >= MIN_RELATIVE_SUPPORT * most)) continue
    supporters.push(each)
    together = both
  }
  const enough = words.length <= FEW_WORDS ? MIN_SHARE_OF_FEW : MIN_SHARE_TOGETHER
  const isSupported =
    supporters.length > 0 &&
    (mayDiffer || together.size >= Math.max(enough * words.length, MIN_RELATIVE_SUPPORT * most)) &&
    exactTermsOf(claim).every((term) => supporters.some(({ piece }) => hasExactTerm(piece.index, term)))
  return new Set(isSupported ? supporters.map(({ key }) => key) : [])
}

/** The sentence with most words in common with a claim; undefined if none has any. */
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
    // Normalized by length, softly: a long sentence contains more words by chance.
    const score = (common + exact) / Math.sqrt(own.size + 4)
    if (common > 0 && score > (best?.score ?? 0)) best = { sentence, score }
  }
  return best?.sentence
}
