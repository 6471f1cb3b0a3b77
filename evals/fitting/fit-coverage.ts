import type { Signs } from '../../service/test/open-signs.ts'
import { balancedAccuracy, fitGate, type JudgedQuestion } from './fit-gate.ts'
import type { Fit } from './fit-order.ts'
import { even, everything, mean, odd, type Half } from './halves.ts'
import type { QuestionFeatures } from './question-features.ts'

/** The confidence from which the service treats a question as covered. */
const THRESHOLD = 0.45
const THRESHOLDS = Array.from({ length: 97 }, (_, place) => 0.02 + place / 100)

function judgedOf(seen: readonly QuestionFeatures[], kind: keyof Signs['coverage']): JudgedQuestion[] {
  const judged = seen.flatMap(({ question: { isAnswerable }, signs }) =>
    isAnswerable === undefined ? [] : [{ isAnswerable, values: Object.values(signs.coverage[kind]) }],
  )
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable).length
  return judged.map((one) => ({
    ...one,
    weight: 1 / (one.isAnswerable ? answerable : judged.length - answerable),
  }))
}

/** Fits the gate: balanced accuracy on the held-out half, and on all questions at the set's own best threshold. */
export function fitCoverage(
  bySet: ReadonlyMap<string, readonly QuestionFeatures[]>,
  kind: keyof Signs['coverage'],
): Fit {
  const names = Object.keys([...bySet.values()].flat()[0]?.signs.coverage[kind] ?? {})
  const sets = [...bySet]
    .map(([name, seen]) => ({ name, questions: judgedOf(seen, kind) }))
    .filter(({ questions }) => questions.some(({ isAnswerable }) => !isAnswerable))
  const fit = (half: Half) =>
    fitGate(
      sets.flatMap(({ questions }) => questions.filter(half)),
      names.length,
    )
  const [weights, onEven, onOdd] = [fit(everything), fit(even), fit(odd)]
  const lines = sets.map(({ name, questions }) => {
    const carried = mean([
      balancedAccuracy(questions.filter(odd), onEven, THRESHOLD),
      balancedAccuracy(questions.filter(even), onOdd, THRESHOLD),
    ])
    const best = Math.max(...THRESHOLDS.map((at) => balancedAccuracy(questions, weights, at)))
    return `${name.padEnd(16)} ${carried.toFixed(3)}  ${best.toFixed(3)}`
  })
  const [constant = 0, ...others] = weights
  return {
    weights: { ...Object.fromEntries(names.map((name, place) => [name, others[place] ?? 0])), constant },
    lines,
  }
}
