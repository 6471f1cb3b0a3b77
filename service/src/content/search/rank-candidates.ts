import { rankingFeatures, type RankedBy, type RankingFeatures } from './ranking-features.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'

const NAMES = Object.keys(RANKING_WEIGHTS) as (keyof RankingFeatures)[]

/** A ranked candidate: its score, 0 to 1, and the features behind it. */
export interface Ranked {
  score: number
  features: RankingFeatures
}

/**
 * Scores each candidate as the weighted mean of its features.
 *
 * @param trustInMeaning 0 to 1: how well the embedding model understands the language of the question.
 */
export function rankCandidates(
  questionTerms: readonly string[],
  candidates: readonly RankedBy[],
  language: string | undefined,
  trustInMeaning: number,
): Ranked[] {
  const weights = {
    ...RANKING_WEIGHTS,
    meaning: RANKING_WEIGHTS.meaning * trustInMeaning,
    sentence: RANKING_WEIGHTS.sentence * trustInMeaning,
  }
  const all = NAMES.reduce((sum, name) => sum + weights[name], 0)
  return rankingFeatures(questionTerms, candidates, language).map((features) => ({
    score: NAMES.reduce((sum, name) => sum + weights[name] * features[name], 0) / all,
    features,
  }))
}
