import type { RankingFeatures } from './ranking-features.ts'

/**
 * How much each feature counts. Written by evals/fit-weights.ts, which fits them to the questions of eight sets and
 * tells what carries over from one half of them to the other (docs/decisions/2026-11-21-ranking.md).
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
}
