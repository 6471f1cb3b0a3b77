const figures = (weights: Readonly<Record<string, number>>, indent: string) =>
  Object.entries(weights)
    .map(([name, weight]) => `${indent}${name}: ${Number(weight.toFixed(2))},`)
    .join('\n')

/** The source of the service's modules that contain the weights, by path. */
export function weightsSource(
  ranking: Readonly<Record<string, number>>,
  gates: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Record<string, string> {
  const both = Object.entries(gates)
    .map(([kind, weights]) => `  ${kind}: {\n${figures(weights, '    ')}\n  },`)
    .join('\n')
  return {
    'content/search/ranking-weights.ts': `import type { RankingFeatures } from './ranking-features.ts'

/**
 * How much each feature counts. Written by evals/fit-weights.ts, which fits them to the questions of eight sets and
 * tells what carries over from one half of them to the other (docs/decisions/2026-11-21-ranking.md).
 */
export const RANKING_WEIGHTS: RankingFeatures = {
${figures(ranking, '  ')}
}
`,
    'answers/answering/coverage-weights.ts': `import type { ComparedFeatures, CoverageWeights } from './coverage-features.ts'

/**
 * Logistic weights of the gate, with vectors and by words alone. Written by evals/fit-weights.ts, which fits them to
 * the questions of documentation and encyclopedias and tells what carries over (docs/decisions/2026-11-22-plain-questions.md).
 */
export const COVERAGE_WEIGHTS: Record<'hybrid' | 'lexical', CoverageWeights> & {
  compared: CoverageWeights & ComparedFeatures
} = {
${both}
}
`,
  }
}
