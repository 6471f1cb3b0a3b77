import type { CoverageWeights } from './coverage-features.ts'

/**
 * Logistic weights of the gate, with vectors and by words alone. Written by evals/fit-weights.ts, which fits them to
 * the questions of documentation and encyclopedias and tells what carries over (docs/decisions/2026-11-22-plain-questions.md).
 */
export const COVERAGE_WEIGHTS: Record<'hybrid' | 'lexical', CoverageWeights> = {
  hybrid: {
    similarity: -1.12,
    sentence: 4.95,
    sentences: 5.88,
    coverage: 1.98,
    heading: 0.83,
    names: 3.37,
    length: 0.44,
    constant: -8.48,
  },
  lexical: {
    similarity: 0,
    sentence: 0,
    sentences: 0,
    coverage: 3.6,
    heading: 1,
    names: 3.44,
    length: 3.22,
    constant: -6.25,
  },
}
