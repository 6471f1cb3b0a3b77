import { yieldToEventLoop } from '../../kernel/yield-to-event-loop.ts'
import { contentWordsOf } from '../citations/citations.ts'
import { beginningOf } from './begin-quote.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import { procedureOf } from './procedures.ts'
import { isNextTo, isWhole, joinQuotes, type Quote } from './join-quotes.ts'
import { isFragment, isLooseEnd, type LocatedUnit, type ScoredUnit } from './score-units.ts'
import type { Evidence } from '../citations/citations.ts'

const MAX_QUOTES = 4
/** How many pieces of evidence are searched for quotes. */
const MAX_PIECES = 8
/** Minimum score of a further quote, relative to the best one. */
const MIN_RELATIVE_SCORE = 0.7
/**
 * By how much a further quote may score less than the best one. A best one with a high score says what was asked, and what is further from
 * it is often about something else. See docs/decisions/2026-11-29-further-quotes.md.
 */
const FURTHER = { clearFrom: 1.3, belowClear: 0.1, below: 0.3 }
/** Words after which a quote is not continued, of the best quote and of further ones; and of all together. */
const WORDS = { best: 60, further: 30, all: 180 }
/** Two quotes that share more of their words count as duplicates. */
const DUPLICATE_OVERLAP = 0.7
/** Minimum length of a quote in characters. Shorter units ("Note.", "See also") have no content. */
const MIN_CHARACTERS = 15

/** The units of the evidence that say something, in order. */
export async function unitsOf(evidence: readonly Evidence[]): Promise<LocatedUnit[]> {
  const placed: LocatedUnit[] = []
  for (const [index, { passages }] of evidence.slice(0, MAX_PIECES).entries()) {
    for (const passage of passages) {
      await yieldToEventLoop()
      for (const unit of unitsOfPassage(passage)) {
        const isLong = unit.plain.length >= MIN_CHARACTERS || unit.announced !== undefined
        const saysSomething = isLong && !unit.plain.endsWith('?')
        if (saysSomething) placed.push({ unit, passage, number: index + 1 })
      }
    }
  }
  return placed
}

const whole = ({ markdown, announced }: QuotableUnit) =>
  announced === undefined ? markdown : `${markdown}\n\n${announced}`

const countWords = (text: string) => text.split(/\s+/).length

function isDuplicate(left: string, right: string): boolean {
  const [one, other] = [new Set(contentWordsOf(left)), new Set(contentWordsOf(right))]
  const common = [...one].filter((word) => other.has(word)).length
  return common >= DUPLICATE_OVERLAP * Math.min(one.size, other.size)
}

/** Whether a unit says nothing that the chosen quotes do not say. */
const isRepeated = (unit: QuotableUnit, chosen: readonly Quote[]) =>
  chosen.some(({ units }) =>
    units.some(
      (other) =>
        other === unit ||
        isDuplicate(`${other.plain}\n${other.announced ?? ''}`, unit.plain) ||
        unit.announced?.includes(other.markdown) === true ||
        (other.before === unit.markdown && dependsOnPrevious(other)),
    ),
  )

/**
 * The beginning of a quote, and what follows it in its passage and was not quoted yet, up to this many words, without a loose end. Rows
 * and facts are complete on their own.
 */
function continued(
  begin: readonly [QuotableUnit, ...QuotableUnit[]],
  { passage, number }: Pick<LocatedUnit, 'passage' | 'number'>,
  words: number,
  chosen: readonly Quote[],
): Quote {
  const units: [QuotableUnit, ...QuotableUnit[]] = [...begin]
  const all = unitsOfPassage(passage)
  const unit = units.at(-1) ?? begin[0]
  let left = words - countWords(whole(unit))
  const goesOn = (last: QuotableUnit, next: QuotableUnit) =>
    ![unit, next].some(isWhole) &&
    isNextTo(last, next, passage) &&
    !next.plain.endsWith('?') &&
    countWords(whole(next)) <= roomFor(last, next, left, all) &&
    !isRepeated(next, chosen)
  for (const next of all.slice(all.indexOf(unit) + 1)) {
    const last = units.at(-1) ?? unit
    if (last.announced?.includes(next.markdown) === true) continue
    if (!goesOn(last, next)) break
    units.push(next)
    left -= countWords(whole(next))
  }
  while (units.length > begin.length && units.slice(-1).every(isLooseEnd)) units.pop()
  return { units, passage, number }
}

/** For how many words there is room; a short procedure that the quote has reached is quoted to its last step. */
function roomFor(last: QuotableUnit, next: QuotableUnit, left: number, all: readonly QuotableUnit[]): number {
  const isReached = left > 0 || (last.item !== undefined && last.item.list === next.item?.list)
  return isReached && procedureOf(next, all) !== undefined ? Infinity : left
}

/** The beginning of a quote without what is shown already. */
const withoutSaid = (
  begin: readonly [QuotableUnit, ...QuotableUnit[]],
  chosen: readonly Quote[],
): [QuotableUnit, ...QuotableUnit[]] => {
  const [first, ...rest] = begin
  const [next] = rest
  return next !== undefined && isRepeated(first, chosen) ? [next, ...rest.slice(1)] : [first, ...rest]
}

/** Takes quotes from the best unit on, without duplicates, as long as `accepts` each. */
function takeQuotes(
  scored: readonly ScoredUnit[],
  placed: readonly LocatedUnit[],
  accepts: (candidate: ScoredUnit, chosen: readonly Quote[]) => boolean,
  words: (chosen: readonly Quote[]) => number,
): Quote[] {
  const chosen: Quote[] = []
  let left = WORDS.all
  for (const candidate of scored) {
    if (chosen.length === MAX_QUOTES || left <= 0) break
    const begin = beginningOf(candidate)
    if (
      !accepts(candidate, chosen) ||
      [candidate.unit, ...begin.slice(-1)].some((unit) => isRepeated(unit, chosen))
    )
      continue
    const quote = continued(withoutSaid(begin, chosen), candidate, words(chosen), chosen)
    left -= quote.units.reduce((sum, unit) => sum + countWords(whole(unit)), 0)
    chosen.push(quote)
  }
  return joinQuotes(chosen, placed)
}

/** The least that a further quote has to score. */
function leastFurther(best: number): number {
  const below = best >= FURTHER.clearFrom ? FURTHER.belowClear : FURTHER.below
  return Math.max(MIN_RELATIVE_SCORE * best, best - below)
}

/** The best units, each with what follows it. */
export function chooseQuotes(scored: readonly ScoredUnit[], placed: readonly LocatedUnit[]): Quote[] {
  const least = leastFurther(scored[0]?.score ?? 0)
  return takeQuotes(
    scored,
    placed,
    ({ score, unit }, { length }) => score >= least && (length === 0 || !isFragment(unit)),
    ({ length }) => (length === 0 ? WORDS.best : WORDS.further),
  )
}

/** The best unit of each of the best pieces of evidence, with what follows it. */
export const bestOfEachPiece = (scored: readonly ScoredUnit[], placed: readonly LocatedUnit[]): Quote[] =>
  takeQuotes(
    scored,
    placed,
    (candidate, chosen) => chosen.every(({ number }) => number !== candidate.number),
    () => WORDS.further,
  )
