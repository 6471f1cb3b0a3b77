import { isNextTo } from './join-quotes.ts'
import { procedureOf } from './procedures.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import type { LocatedUnit } from './score-units.ts'

/** A list of up to so many words is shown whole, below the line that introduces it. */
const MAX_LIST_WORDS = 60
/** What a sentence refers to is shown before it up to so many words. */
const MAX_WORDS_BEFORE = 40

const countWords = (text: string) => text.split(/\s+/).length

/** The sentence of the passage that announces the block of this unit, if it is to be quoted with it. */
function announcerOf(unit: QuotableUnit, all: readonly QuotableUnit[]): QuotableUnit | undefined {
  const place = all.indexOf(unit)
  const announcer = all
    .slice(0, place)
    .findLast(({ announced, section }) => announced?.includes(unit.markdown) && section === unit.section)
  const isAtOnce = announcer !== undefined && all[place - 1] === announcer
  return isAtOnce || countWords(announcer?.announced ?? '') <= MAX_LIST_WORDS ? announcer : undefined
}

/** The unit of the paragraph before, if this one cannot be understood without it. */
function referredTo(
  unit: QuotableUnit,
  all: readonly QuotableUnit[],
  passage: LocatedUnit['passage'],
): QuotableUnit | undefined {
  if (!dependsOnPrevious(unit) || unit.before !== undefined) return undefined
  const earlier = all.slice(Math.max(0, all.indexOf(unit) - 4), all.indexOf(unit))
  const found = earlier.find((one) => one.kind === 'sentence' && isNextTo(one, unit, passage))
  return found !== undefined && countWords(found.plain) <= MAX_WORDS_BEFORE ? found : undefined
}

/** A paragraph or a sentence that says no more than yes or no: what follows it says why. */
const YES_OR_NO = new Set(['yes.', 'no.', 'yes!', 'no!'])

/** The yes or no that a unit explains. */
function yesOrNoBefore(
  unit: QuotableUnit,
  all: readonly QuotableUnit[],
  passage: LocatedUnit['passage'],
): QuotableUnit | undefined {
  const previous = all[all.indexOf(unit) - 1]
  return previous !== undefined &&
    YES_OR_NO.has(previous.plain.toLowerCase()) &&
    isNextTo(previous, unit, passage)
    ? previous
    : undefined
}

/** Where the quote of a unit begins: a procedure at its first step, a block with the sentence that introduces it, a sentence with the one that it refers to, or explains. */
export function beginningOf({ unit, passage }: LocatedUnit): [QuotableUnit, ...QuotableUnit[]] {
  const all = unitsOfPassage(passage)
  const announcer = announcerOf(unit, all)
  if (announcer !== undefined) return [announcer]
  const steps = procedureOf(unit, all)
  if (steps !== undefined) {
    const [first, ...rest] = steps
    return [first, ...rest.slice(0, steps.indexOf(unit))]
  }
  const before = yesOrNoBefore(unit, all, passage) ?? referredTo(unit, all, passage)
  return before === undefined ? [unit] : [before, unit]
}
