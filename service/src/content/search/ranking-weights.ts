import type { RankingFeatures } from './ranking-features.ts'

/**
 * Weight of each feature. Written by evals/fit-weights.ts, which fits the weights to the questions of eight sets and reports how well they
 * carry over from one half of the sets to the other (docs/decisions/2026-11-21-ranking.md).
 */
export const RANKING_WEIGHTS: RankingFeatures = {
  words: 0.16,
  page: 2.4,
  meaning: 2.66,
  sentence: 3.62,
  coverage: 1.63,
  proximity: 1.87,
  title: 0.14,
  address: 1.21,
  lasting: 1.5,
  own: 2,
}
