import { rankingFeatures, type Candidate, type RankingFeatures } from './ranking-features.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'

const NAMES = Object.keys(RANKING_WEIGHTS) as (keyof RankingFeatures)[]

/** What becomes of a candidate: its score, 0 to 1, and the features it is made of. */
export interface Ranked {
  score: number
  features: RankingFeatures
}

/**
 * Scores candidates: each the weighted mean of its features.
 *
 * @param trustInMeaning 0 to 1: how far the embedding model understands the language of the question.
 */
export function rankCandidates(
  asked: readonly string[],
  candidates: readonly Candidate[],
  language: string | undefined,
  trustInMeaning: number,
): Ranked[] {
  const weights = {
    ...RANKING_WEIGHTS,
    meaning: RANKING_WEIGHTS.meaning * trustInMeaning,
    sentence: RANKING_WEIGHTS.sentence * trustInMeaning,
  }
  const all = NAMES.reduce((sum, name) => sum + weights[name], 0)
  return rankingFeatures(asked, candidates, language).map((features) => ({
    score: NAMES.reduce((sum, name) => sum + weights[name] * features[name], 0) / all,
    features,
  }))
}
