/** Candidates of one question: a row of features each, and the page that each belongs to. */
export interface RankedQuestion {
  rows: { page: number; values: readonly number[] }[]
  /** Names of the pages, by their number. */
  pages: readonly string[]
  relevant: ReadonlyMap<string, number>
  /** Weight of the question, so that a large set does not outvote the others. */
  weight: number
}

const ROUNDS = 250
const STEP = 0.15
/** Weight decay (regularisation). */
const DECAY = 0.002
const [FIRST_MOMENT, SECOND_MOMENT, LEAST] = [0.9, 0.999, 1e-8]

const product = (left: readonly number[], right: readonly number[]) =>
  left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0)

/** A page's score is that of its best passage. */
export function scorePages({ rows, pages }: RankedQuestion, weights: readonly number[]) {
  const best = pages.map(() => ({ score: Number.NEGATIVE_INFINITY, values: [] as readonly number[] }))
  for (const { page, values } of rows) {
    const score = product(values, weights)
    const known = best[page]
    if (known !== undefined && score > known.score) best[page] = { score, values }
  }
  return best
}

function addGradient(question: RankedQuestion, weights: readonly number[], gradient: number[]): void {
  const isRelevant = question.pages.map((page) => (question.relevant.get(page) ?? 0) > 0)
  const relevant = isRelevant.filter(Boolean).length
  if (relevant === 0) return
  const best = scorePages(question, weights)
  const highest = Math.max(...best.map(({ score }) => score))
  const odds = best.map(({ score }) => Math.exp(score - highest))
  const all = odds.reduce((sum, value) => sum + value, 0)
  for (const [page, { values }] of best.entries()) {
    const error = (odds[page] ?? 0) / all - (isRelevant[page] === true ? 1 / relevant : 0)
    for (const [place, value] of values.entries()) {
      gradient[place] = (gradient[place] ?? 0) + question.weight * error * value
    }
  }
}

/**
 * Weights that make the relevant pages most likely: softmax over the pages of a question, cross-entropy against its relevant ones
 * (ListNet; Cao and others, 2007), optimised with Adam.
 */
export function fitRanking(questions: readonly RankedQuestion[], features: number): number[] {
  const weights = Array.from({ length: features }, () => 1)
  const first = weights.map(() => 0)
  const second = weights.map(() => 0)
  const all = questions.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = weights.map(() => 0)
    for (const question of questions) addGradient(question, weights, gradient)
    for (const [place, weight] of weights.entries()) {
      const slope = (gradient[place] ?? 0) / all + DECAY * weight
      first[place] = FIRST_MOMENT * (first[place] ?? 0) + (1 - FIRST_MOMENT) * slope
      second[place] = SECOND_MOMENT * (second[place] ?? 0) + (1 - SECOND_MOMENT) * slope ** 2
      const speed = (first[place] ?? 0) / (1 - FIRST_MOMENT ** round)
      const size = Math.sqrt((second[place] ?? 0) / (1 - SECOND_MOMENT ** round)) + LEAST
      weights[place] = weight - (STEP * speed) / size
    }
  }
  return weights
}
