import { known, shareOf, type Measure, type Observation } from './observation.ts'

/** A question that the set calls answerable or not, with the decision of the product. */
export interface Judged {
  isAnswerable: boolean
  isCovered: boolean
  confidence: number
}

/** A summary of an answer. */
export interface GivenAnswer {
  question: string
  /** Undefined if the set does not judge it. */
  isAnswerable: boolean | undefined
  isCovered: boolean
  confidence: number
  text: string
}

export const answersOf = (observations: readonly Observation[]): GivenAnswer[] =>
  observations.flatMap(({ question, answer }) =>
    answer === undefined
      ? []
      : [
          {
            question: question.text,
            isAnswerable: question.isAnswerable,
            isCovered: answer.isCovered,
            confidence: answer.confidence,
            text: answer.text,
          },
        ],
  )

/** The answers that say something about refusals; empty if the set has only one kind of question. */
export function judgedOf(answers: readonly GivenAnswer[]): Judged[] {
  const judged = answers.flatMap(({ isAnswerable, isCovered, confidence }) =>
    isAnswerable === undefined ? [] : [{ isAnswerable, isCovered, confidence }],
  )
  const kinds = new Set(judged.map(({ isAnswerable }) => isAnswerable))
  return kinds.size === 2 ? judged : []
}

/** Mean of the fractions correctly answered and correctly refused, if `answers` decides. Chance is 0.5. */
function balancedAccuracy(judged: readonly Judged[], answers: (one: Judged) => boolean): number {
  const answered = shareOf(
    judged.filter(({ isAnswerable }) => isAnswerable),
    answers,
  )
  const refused = shareOf(
    judged.filter(({ isAnswerable }) => !isAnswerable),
    (one) => !answers(one),
  )
  return ((answered ?? 0) + (refused ?? 0)) / 2
}

/** Balanced accuracy at every distinct threshold, lowest first. */
export function accuracyCurve(judged: readonly Judged[]): { threshold: number; accuracy: number }[] {
  const thresholds = [...new Set([0, ...judged.map(({ confidence }) => confidence), 1])].sort(
    (left, right) => left - right,
  )
  return thresholds.map((threshold) => ({
    threshold,
    accuracy: balancedAccuracy(judged, ({ confidence }) => confidence >= threshold),
  }))
}

/** Probability that an answerable question has a higher confidence than an unanswerable one; ties count half. */
export function auroc(judged: readonly Judged[]): number {
  const yes = judged.filter(({ isAnswerable }) => isAnswerable)
  const no = judged.filter(({ isAnswerable }) => !isAnswerable)
  let wins = 0
  for (const { confidence } of yes) {
    for (const other of no) {
      if (confidence > other.confidence) wins += 1
      else if (confidence === other.confidence) wins += 0.5
    }
  }
  return wins / (yes.length * no.length)
}

/** Questions with similar confidence. */
export interface CalibrationBin {
  from: number
  to: number
  count: number
  /** Mean confidence of its questions. */
  confidence: number
  /** Fraction of them that is answerable. */
  answerable: number
}

/** Ten bins of equal width; empty ones are omitted. */
export function calibrationBins(judged: readonly Judged[]): CalibrationBin[] {
  const BINS = 10
  return Array.from({ length: BINS }, (_, place) => {
    const held = judged.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === place,
    )
    return {
      from: place / BINS,
      to: (place + 1) / BINS,
      count: held.length,
      confidence: held.reduce((sum, one) => sum + one.confidence, 0) / Math.max(1, held.length),
      answerable: shareOf(held, ({ isAnswerable }) => isAnswerable) ?? 0,
    }
  }).filter(({ count }) => count > 0)
}

/** Mean distance between the confidence and the fraction of answerable questions. */
export const calibrationError = (judged: readonly Judged[]): number =>
  calibrationBins(judged).reduce(
    (sum, bin) => sum + (bin.count / judged.length) * Math.abs(bin.confidence - bin.answerable),
    0,
  )

export const measureRefusal: Measure = (observations) => {
  const judged = judgedOf(answersOf(observations))
  if (judged.length === 0) return {}
  const best = accuracyCurve(judged).reduce((best, point) => (point.accuracy > best.accuracy ? point : best))
  return known({
    balanced_accuracy: balancedAccuracy(judged, ({ isCovered }) => isCovered),
    answered: shareOf(
      judged.filter(({ isAnswerable }) => isAnswerable),
      ({ isCovered }) => isCovered,
    ),
    refused: shareOf(
      judged.filter(({ isAnswerable }) => !isAnswerable),
      ({ isCovered }) => !isCovered,
    ),
    auroc: auroc(judged),
    best_balanced_accuracy: best.accuracy,
    best_threshold: best.threshold,
    calibration_error: calibrationError(judged),
  })
}
