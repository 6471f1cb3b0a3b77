/** A question with its features for the gate. */
export interface JudgedQuestion {
  values: readonly number[]
  isAnswerable: boolean
  /** Chosen so that all sets, and both kinds within a set, have the same total weight. */
  weight: number
}

const ROUNDS = 4_000
const STEP = 2
const DECAY = 0.0003

const confidenceOf = (weights: readonly number[], values: readonly number[]) =>
  1 / (1 + Math.exp(-[1, ...values].reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0)))

/** Logistic regression by gradient descent. The intercept comes first. */
export function fitGate(questions: readonly JudgedQuestion[], features: number): number[] {
  const weights = Array.from({ length: features + 1 }, () => 0)
  const all = questions.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map(() => 0)
    for (const { values, isAnswerable, weight } of questions) {
      const error = weight * (confidenceOf(weights, values) - (isAnswerable ? 1 : 0))
      for (const [place, value] of [1, ...values].entries()) {
        gradient[place] = (gradient[place] ?? 0) + error * value
      }
    }
    for (const [place, weight] of weights.entries()) {
      weights[place] = weight - STEP * ((gradient[place] ?? 0) / all + (place === 0 ? 0 : DECAY * weight))
    }
  }
  return weights
}

/** Mean of the fractions judged correctly among answerable and unanswerable questions. */
export function balancedAccuracy(
  questions: readonly JudgedQuestion[],
  weights: readonly number[],
  threshold: number,
): number {
  const right = ({ values, isAnswerable }: JudgedQuestion) =>
    confidenceOf(weights, values) >= threshold === isAnswerable
  const shareOf = (kind: readonly JudgedQuestion[]) => kind.filter(right).length / Math.max(1, kind.length)
  const answerable = questions.filter(({ isAnswerable }) => isAnswerable)
  const others = questions.filter(({ isAnswerable }) => !isAnswerable)
  return (shareOf(answerable) + shareOf(others)) / 2
}
