import type { Signs } from '../../service/test/open-signs.ts'
import { COVERED_FROM } from '../../service/src/answers/answering/coverage-gate.ts'
import { balancedAccuracy, fitGate, type JudgedQuestion } from './fit-gate.ts'
import type { Fit } from './fit-order.ts'
import type { QuestionFeatures } from './question-features.ts'

/** The questions of one base. */
export interface GateSet {
  name: string
  seen: readonly QuestionFeatures[]
  /** How much it counts, relative to the others. */
  weight: number
}

const THRESHOLDS = Array.from({ length: 97 }, (_, place) => 0.02 + place / 100)

function judgedOf({ seen, weight }: GateSet, kind: keyof Signs['coverage']): JudgedQuestion[] {
  const judged = seen.flatMap(({ question: { isAnswerable }, signs }) =>
    isAnswerable === undefined ? [] : [{ isAnswerable, values: Object.values(signs.coverage[kind]) }],
  )
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable).length
  return judged.map((one) => ({
    ...one,
    weight: weight / (one.isAnswerable ? answerable : judged.length - answerable),
  }))
}

/** Fits the gate: balanced accuracy on each set by weights that were fitted to the others, and on it at its own best threshold. */
export function fitCoverage(given: readonly GateSet[], kind: keyof Signs['coverage']): Fit {
  const names = Object.keys(given.flatMap(({ seen }) => seen)[0]?.signs.coverage[kind] ?? {})
  const sets = given
    .map((set) => ({ name: set.name, questions: judgedOf(set, kind) }))
    .filter(({ questions }) => questions.some(({ isAnswerable }) => !isAnswerable))
  const fitTo = (chosen: typeof sets) =>
    fitGate(
      chosen.flatMap(({ questions }) => questions),
      names.length,
    )
  const weights = fitTo(sets)
  const lines = sets.map(({ name, questions }) => {
    const without = fitTo(sets.filter((set) => set.name !== name))
    const carried = balancedAccuracy(questions, without, COVERED_FROM)
    const best = Math.max(...THRESHOLDS.map((at) => balancedAccuracy(questions, weights, at)))
    return `${name.padEnd(28)} ${carried.toFixed(3)}  ${best.toFixed(3)}`
  })
  const [constant = 0, ...others] = weights
  return {
    weights: { ...Object.fromEntries(names.map((name, place) => [name, others[place] ?? 0])), constant },
    lines,
  }
}
