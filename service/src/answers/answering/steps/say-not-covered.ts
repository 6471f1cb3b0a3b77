import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { addressesIn } from '../evidence-addresses.ts'
import type { Found } from '../found.ts'
import { bestOfEachPiece, renderQuotes, unitsOf } from '../quotes.ts'
import { scoreUnits } from '../score-units.ts'

export const NOT_COVERED = 'The documentation does not cover this question.'

const NEAREST = 'The nearest passages say, word for word:'

/**
 * The nearest passages, to follow a sentence that says that the question is not covered: the best part of each, verbatim, with its number.
 * Nothing if none is near enough to be of use.
 */
export async function* quoteNearest(
  { query, evidence, coverage }: Pick<Found, 'query' | 'evidence' | 'coverage'>,
  { embedder }: { embedder: Embedder | undefined },
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const placed = coverage.isNear ? await unitsOf(evidence) : []
  if (placed.length === 0) return
  yield `\n\n${NEAREST}`
  for (const quote of renderQuotes(
    bestOfEachPiece(await scoreUnits(query, placed, embedder, signal), placed),
    addressesIn(evidence),
  )) {
    signal.throwIfAborted()
    yield quote
  }
}

/** Says that the documentation does not cover the question, and quotes the nearest passages without claiming more. */
export async function* sayNotCovered(
  ...given: Parameters<typeof quoteNearest>
): AsyncGenerator<string, void, void> {
  yield NOT_COVERED
  yield* quoteNearest(...given)
}
