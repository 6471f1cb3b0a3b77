/** How well one ranked list answers one question. All 0 to 1; reports use means over questions. */
export interface RankingMeasures {
  /** Discounted gain of the first ten, against the best possible order. The gain of a page is its relevance. */
  ndcg10: number
  /** 1 / place of the first relevant page; 0 when it is not among the first ten. */
  mrr10: number
  /** Fraction of all relevant pages that is among the first ten. */
  recall10: number
  /** 1 when a relevant page is among the first 1, 5, 10; else 0. */
  hit1: number
  hit5: number
  hit10: number
}

const DEPTH = 10

const discounted = (gains: readonly number[]) =>
  gains.slice(0, DEPTH).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)

/**
 * Measures one list, the way trec_eval does.
 *
 * @param pages - the results, best first; a repeated page counts at its first position
 * @param relevant - relevance of each page that answers, above 0
 * @returns undefined if no page answers: such a question has no measure
 *
 * @example
 * measureRanking(['a', 'b'], new Map([['b', 1]])) // mrr10: 0.5, hit1: 0, hit5: 1
 */
export function measureRanking(
  pages: readonly string[],
  relevant: ReadonlyMap<string, number>,
): RankingMeasures | undefined {
  const wanted = [...relevant].filter(([, gain]) => gain > 0)
  if (wanted.length === 0) return undefined
  const gainOf = new Map(wanted)
  const gains = [...new Set(pages)].slice(0, DEPTH).map((page) => gainOf.get(page) ?? 0)
  const ideal = wanted.map(([, gain]) => gain).sort((left, right) => right - left)
  const first = gains.findIndex((gain) => gain > 0)
  const hit = (depth: number) => (first >= 0 && first < depth ? 1 : 0)
  return {
    ndcg10: discounted(gains) / discounted(ideal),
    mrr10: first < 0 ? 0 : 1 / (first + 1),
    recall10: gains.filter((gain) => gain > 0).length / wanted.length,
    hit1: hit(1),
    hit5: hit(5),
    hit10: hit(DEPTH),
  }
}

/** The mean of each measure; undefined for an empty list. */
export function meanRanking(measured: readonly RankingMeasures[]): RankingMeasures | undefined {
  if (measured.length === 0) return undefined
  const mean = (name: keyof RankingMeasures) =>
    measured.reduce((sum, one) => sum + one[name], 0) / measured.length
  return {
    ndcg10: mean('ndcg10'),
    mrr10: mean('mrr10'),
    recall10: mean('recall10'),
    hit1: mean('hit1'),
    hit5: mean('hit5'),
    hit10: mean('hit10'),
  }
}
