import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { joinVersions } from '../../citations/citations.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { chooseQuotes, renderQuotes, unitsOf, type Quote } from '../quotes.ts'
import { scoreUnits } from '../score-units.ts'
import type { ChosenEvidence } from './choose-evidence.ts'
import { NOT_COVERED } from './say-not-covered.ts'

export interface QuoteDeps {
  /** Compares sentences with the question; without it only their words are compared. */
  embedder: Embedder | undefined
}

/** Introduces the quotes, with their version if the pages have one. */
function introductionOf(quotes: readonly Quote[]): string {
  const version = joinVersions(quotes.map(({ passage }) => passage))
  return `The documentation${version === undefined ? '' : ` of ${version}`} says, word for word:`
}

/**
 * Answers without a model: the sentences, code blocks and table rows of the evidence that are closest to the question,
 * verbatim, each with its number. The answer states that they are quotes.
 */
export async function* quoteEvidence(
  query: string,
  evidence: readonly ChosenEvidence[],
  { embedder }: QuoteDeps,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const placed = await unitsOf(evidence)
  if (placed.length === 0) {
    yield NOT_COVERED
    return
  }
  const quotes = chooseQuotes(await scoreUnits(query, placed, embedder, signal), placed)
  yield introductionOf(quotes)
  for (const quote of renderQuotes(quotes, addressesIn(evidence))) {
    signal.throwIfAborted()
    yield quote
  }
}
