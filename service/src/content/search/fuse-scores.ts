/** How much meaning counts against words. Measured best overall for the embedded model (docs/decisions/2026-11-21-search-weights.md). */
const WEIGHT_OF_MEANING = 0.7

/** Spreads scores over 0 to 1 by their smallest and largest. A single score, or equal ones, become 1. */
function spread(scores: ReadonlyMap<string, number>): Map<string, number> {
  const values = [...scores.values()]
  const low = Math.min(...values)
  const range = Math.max(...values) - low
  return new Map([...scores].map(([id, score]) => [id, range === 0 ? 1 : (score - low) / range]))
}

/**
 * One order out of two: weighted sum of both scores, each spread over 0 to 1 among the candidates. What one list lacks
 * counts as its smallest. With one list empty the other decides alone.
 */
export function fuseScores(
  byTerms: ReadonlyMap<string, number>,
  byVector: ReadonlyMap<string, number>,
): Map<string, number> {
  const words = spread(byTerms)
  const meaning = spread(byVector)
  const weight = byVector.size === 0 ? 0 : byTerms.size === 0 ? 1 : WEIGHT_OF_MEANING
  const ids = new Set([...words.keys(), ...meaning.keys()])
  const fused = [...ids].map((id): [string, number] => [
    id,
    weight * (meaning.get(id) ?? 0) + (1 - weight) * (words.get(id) ?? 0),
  ])
  return new Map(fused.sort((left, right) => right[1] - left[1]))
}
