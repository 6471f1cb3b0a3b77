import type { CoverageWeights } from './coverage-features.ts'

/**
 * Logistic regression weights of the gate, with vectors and by words alone. Written by evals/fit-weights.ts, which fits them to
 * the questions of seven sets and reports how they generalize (docs/decisions/2026-11-21-ranking.md).
 */
export const COVERAGE_WEIGHTS: Record<'hybrid' | 'lexical', CoverageWeights> = {
  hybrid: {
    similarity: 5.02,
    sentence: 4.57,
    sentences: 3.32,
    coverage: 1.66,
    firstCoverage: -0.05,
    names: 1.31,
    length: 1.42,
    constant: -9.53,
  },
  lexical: {
    similarity: 0,
    sentence: 0,
    sentences: 0,
    coverage: 3.19,
    firstCoverage: 0.74,
    names: 2.08,
    length: 4.26,
    constant: -6.14,
  },
}
