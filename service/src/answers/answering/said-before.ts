import type { EarlierTurn } from './question.ts'
import type { ScoredUnit } from './score-units.ts'

/** Part of its score that a unit keeps which an earlier answer of the conversation shows. */
const KEPT_SCORE = 0.75

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/**
 * The units for an answer in a conversation, best first: who asks on has read the earlier answers. What they show is quoted again only where
 * it is by far the best, as the same sentence may answer "How often?" too.
 */
export function preferUnsaid(
  scored: readonly ScoredUnit[],
  earlier: readonly Pick<EarlierTurn, 'answer'>[],
): readonly ScoredUnit[] {
  if (earlier.length === 0) return scored
  const said = earlier.map(({ answer }) => lettersOf(answer)).join('\n')
  const wasSaid = new Set(scored.filter(({ unit }) => said.includes(lettersOf(unit.plain))))
  const [best, ...others] = scored
    .map((one) => (wasSaid.has(one) ? { ...one, score: one.score * KEPT_SCORE, isSaid: true } : one))
    .toSorted((left, right) => right.score - left.score)
  return best === undefined ? [] : [best, ...others.filter((one) => !('isSaid' in one))]
}
