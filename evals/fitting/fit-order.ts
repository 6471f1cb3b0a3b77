import { measureRanking } from '@citewell/contract/ranking-measures'
import type { Signs } from '../../service/test/open-signs.ts'
import { fitRanking, scorePages, type RankedQuestion } from './fit-ranking.ts'
import { even, everything, mean, odd, type Half } from './halves.ts'
import type { QuestionFeatures } from './question-features.ts'

/** Weights by feature name, and a line with the results for each set. */
export interface Fit {
  weights: Record<string, number>
  lines: string[]
}

/**
 * Weights that are not fitted: the ranked sets have hardly a change log, and few pages that share their headings.
 *
 * - `lasting`: on plain questions nDCG is .791 without this weight, .802, .806, .807 and .808 with 1, 1.5, 2 and 3, and at most .002 lower
 *   on any other set.
 * - `own`: see docs/decisions/2026-11-27-shared-headings.md.
 */
const HELD = { lasting: 1.5, own: 2 }

const fittedValues = (features: Signs['candidates'][number]['features']) => {
  const { lasting: _lasting, own: _own, ...fitted } = features
  return fitted
}

function rankedOf(seen: readonly QuestionFeatures[]): RankedQuestion[] {
  const judged = seen.filter(({ question }) => question.relevant.size > 0)
  return judged.map(({ question, signs }) => {
    const pages = [...new Set(signs.candidates.map(({ page }) => page))]
    return {
      pages,
      rows: signs.candidates.map(({ page, features }) => ({
        page: pages.indexOf(page),
        values: Object.values(fittedValues(features)),
      })),
      relevant: question.relevant,
      weight: 1 / Math.sqrt(judged.length),
    }
  })
}

function rankedBy(question: RankedQuestion, weights: readonly number[]): string[] {
  const scores = scorePages(question, weights).map(({ score }) => score)
  return question.pages
    .map((page, place) => ({ page, score: scores[place] ?? 0 }))
    .sort((left, right) => right.score - left.score)
    .map(({ page }) => page)
}

const ndcgOf = (questions: readonly RankedQuestion[], weights: readonly number[]) =>
  mean(
    questions.flatMap(
      (question) => measureRanking(rankedBy(question, weights), question.relevant)?.ndcg10 ?? [],
    ),
  )

/** Fits the search ranking: nDCG@10 on all questions, and on the held-out half. */
export function fitOrder(bySet: ReadonlyMap<string, readonly QuestionFeatures[]>): Fit {
  const first = [...bySet.values()].flat().find(({ signs }) => signs.candidates.length > 0)
  const [example] = first?.signs.candidates ?? []
  const names = example === undefined ? [] : Object.keys(fittedValues(example.features))
  const sets = [...bySet].map(([name, seen]) => ({ name, questions: rankedOf(seen) }))
  const fit = (half: Half) =>
    fitRanking(
      sets.flatMap(({ questions }) => questions.filter(half)),
      names.length,
    )
  const [weights, onEven, onOdd] = [fit(everything), fit(even), fit(odd)]
  const lines = sets.map(({ name, questions }) => {
    const carried = mean([ndcgOf(questions.filter(odd), onEven), ndcgOf(questions.filter(even), onOdd)])
    return `${name.padEnd(16)} ${ndcgOf(questions, weights).toFixed(3)}  ${carried.toFixed(3)}`
  })
  const fitted = Object.fromEntries(names.map((name, place) => [name, weights[place] ?? 0]))
  return { weights: { ...fitted, ...HELD }, lines }
}
