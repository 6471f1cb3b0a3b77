import type { QuotableUnit } from './quotable-units.ts'

/** Steps of up to so many words are quoted whole: a procedure without its last step leads astray. */
const MAX_WORDS = 160
const MAX_STEPS = 20

const countWords = ({ plain, announced = '' }: QuotableUnit) =>
  `${plain} ${announced}`.trim().split(/\s+/).length

/** The steps of the short procedure that a unit is within, from its first step to its last; undefined if it is in none. */
export function procedureOf(
  { item, section }: QuotableUnit,
  all: readonly QuotableUnit[],
): readonly [QuotableUnit, ...QuotableUnit[]] | undefined {
  if (item?.isOrdered !== true || item.size > MAX_STEPS) return undefined
  const isStep = (unit: QuotableUnit) => unit.item?.list === item.list
  const steps = all.slice(all.findIndex(isStep), all.findLastIndex(isStep) + 1)
  const [first, ...rest] = steps
  // A numbered list within another, or a part of a list, is none.
  if (first?.item?.place !== 0 || steps.at(-1)?.item?.place !== item.size - 1) return undefined
  const isWhole = steps.every((unit) => unit.section === section && unit.kind === 'sentence')
  const words = steps.reduce((sum, unit) => sum + countWords(unit), 0)
  return isWhole && words <= MAX_WORDS ? [first, ...rest] : undefined
}
