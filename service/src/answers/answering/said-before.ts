import type { EarlierTurn } from './question.ts'
import type { ScoredUnit } from './score-units.ts'

/** Part of its score that a unit loses which an earlier answer of the conversation shows. */
const LOST_SCORE = 0.25

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
  // A score may be negative, too.
  const scoreOf = (one: ScoredUnit) =>
    wasSaid.has(one) ? one.score - LOST_SCORE * Math.abs(one.score) : one.score
  const [best, ...others] = scored.toSorted((left, right) => scoreOf(right) - scoreOf(left))
  return best === undefined ? [] : [best, ...others.filter((one) => !wasSaid.has(one))]
}
