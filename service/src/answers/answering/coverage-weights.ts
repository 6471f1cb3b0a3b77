import type { ComparedFeatures, CoverageWeights } from './coverage-features.ts'

/**
 * Logistic weights of the gate, with vectors and by words alone. Written by evals/fit-weights.ts, which fits them to
 * the questions of documentation and encyclopedias and tells what carries over (docs/decisions/2026-11-22-plain-questions.md).
 */
export const COVERAGE_WEIGHTS: Record<'hybrid' | 'lexical', CoverageWeights> & {
  compared: CoverageWeights & ComparedFeatures
} = {
  hybrid: {
    similarity: 3.59,
    sentence: 4.25,
    sentences: 5.07,
    coverage: 2.78,
    heading: 0.67,
    names: 2.59,
    length: 1.2,
    pages: -4.9,
    constant: -6.79,
  },
  compared: {
    similarity: 2.79,
    sentence: 3.5,
    sentences: 3.68,
    coverage: 1.2,
    heading: 0.39,
    names: 2.58,
    length: 2.2,
    pages: -4.48,
    nearest: 5.28,
    nearestMean: 3.32,
    missing: -7,
    constant: -11.35,
  },
  lexical: {
    similarity: 0,
    sentence: 0,
    sentences: 0,
    coverage: 4.27,
    heading: 1.51,
    names: 3.12,
    length: 3.82,
    pages: -3.31,
    constant: -4.53,
  },
}
