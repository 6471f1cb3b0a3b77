import { joinVersions } from '../../citations/citations.ts'
import { addressesIn } from '../evidence-addresses.ts'
import type { Found } from '../found.ts'
import type { OwnSentences } from '../own-sentences.ts'
import type { EarlierTurn } from '../question.ts'
import { chooseQuotes, unitsOf } from '../quotes.ts'
import { renderQuotes } from '../render-quotes.ts'
import { preferUnsaid } from '../said-before.ts'
import { scoreUnits } from '../score-units.ts'
import type { AskContext } from './prepare-question.ts'

/**
 * Answers without a model: the sentences, code blocks and table rows of the evidence that are closest to the question,
 * verbatim, each with its number. The answer states that they are quotes.
 */
export async function* quoteEvidence(
  {
    query,
    evidence,
    compared,
    earlier,
  }: Pick<Found, 'query' | 'evidence' | 'compared'> & { earlier: readonly EarlierTurn[] },
  { embedder }: Pick<AskContext, 'embedder'>,
  sentences: OwnSentences,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const placed = await unitsOf(evidence)
  if (placed.length === 0) {
    yield sentences.notCovered
    return
  }
  const scored = await scoreUnits(query, placed, { embedder, compared }, signal)
  const quotes = chooseQuotes(preferUnsaid(scored, earlier), placed)
  yield sentences.says(joinVersions(quotes.map(({ passage }) => passage)))
  for (const quote of renderQuotes(quotes, addressesIn(evidence), sentences)) {
    signal.throwIfAborted()
    yield quote
  }
}
