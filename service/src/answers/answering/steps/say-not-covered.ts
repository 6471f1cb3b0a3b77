import { addressesIn } from '../evidence-addresses.ts'
import type { Found } from '../found.ts'
import type { OwnSentences } from '../own-sentences.ts'
import { bestOfEachPiece, unitsOf } from '../quotes.ts'
import { renderQuotes } from '../render-quotes.ts'
import { scoreUnits } from '../score-units.ts'
import type { AskContext } from './prepare-question.ts'

/**
 * The nearest passages, to follow a sentence that says that the question is not covered: the best part of each, verbatim, with its number.
 * Nothing if none is near enough to be of use.
 */
export async function* quoteNearest(
  { query, evidence, coverage, compared }: Pick<Found, 'query' | 'evidence' | 'coverage' | 'compared'>,
  { embedder }: Pick<AskContext, 'embedder'>,
  sentences: OwnSentences,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const placed = coverage.isNear ? await unitsOf(evidence) : []
  if (placed.length === 0) return
  yield `\n\n${sentences.nearest}`
  for (const quote of renderQuotes(
    bestOfEachPiece(await scoreUnits(query, placed, { embedder, compared }, signal), placed),
    addressesIn(evidence),
    sentences,
  )) {
    signal.throwIfAborted()
    yield quote
  }
}

/** Says that the documentation does not cover the question, and quotes the nearest passages without claiming more. */
export async function* sayNotCovered(
  ...[found, deps, sentences, signal]: Parameters<typeof quoteNearest>
): AsyncGenerator<string, void, void> {
  yield sentences.notCovered
  yield* quoteNearest(found, deps, sentences, signal)
}
