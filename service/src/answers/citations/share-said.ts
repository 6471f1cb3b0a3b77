import { supportersOf, type SupportPiece } from './claim-support.ts'
import { contentWordsOf, indexWords } from './content-words.ts'
import { sentencesOf } from '../../kernel/sentences.ts'

/** Fewer words than this are a greeting, and say nothing. */
const FEWEST_WORDS = 3
const MOST_SENTENCES = 40
const MOST_CHARACTERS = 20_000

/**
 * The share of a text's sentences that another text says too, by their words, numbers and identifiers. Undefined if no sentence says
 * anything. A likeness, not a proof.
 *
 * @example
 * shareSaid('Hi! Set KEEP_DAYS to 30. Then restart.', 'Restart after KEEP_DAYS was set to 30.') // 1
 */
export function shareSaid(text: string, by: string): number | undefined {
  const claims = sentencesOf(text.slice(0, MOST_CHARACTERS))
    .map((sentence) => sentence.text.trim())
    .filter((sentence) => contentWordsOf(sentence).length >= FEWEST_WORDS)
    .slice(0, MOST_SENTENCES)
  if (claims.length === 0) return undefined
  const other = by.slice(0, MOST_CHARACTERS)
  const piece: SupportPiece = {
    index: indexWords(other),
    heading: new Set(),
    sentences: sentencesOf(other).map((sentence) => new Set(contentWordsOf(sentence.text))),
  }
  const offered = new Map([['other', piece]])
  const said = claims.filter(
    (claim) => supportersOf(claim, ['other'], offered, { mayDiffer: false }).size > 0,
  )
  return said.length / claims.length
}
