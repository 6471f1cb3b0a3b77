import { unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import type { LocatedUnit } from './score-units.ts'

/** A unit with the units that follow it in its passage: an answer often begins one sentence before it is complete. */
export interface Quote {
  units: readonly [QuotableUnit, ...QuotableUnit[]]
  passage: LocatedUnit['passage']
  number: number
}

/** Rows and facts are complete on their own. */
export const isWhole = ({ kind }: QuotableUnit) => kind === 'row' || kind === 'facts'

/**
 * Whether nothing stands between two units of a passage but the block that the first has shown. What is never quoted stands between them,
 * too: "Never there!", a question, a long code block. A quote without it would not be word for word.
 */
export function isNextTo(last: QuotableUnit, first: QuotableUnit, passage: LocatedUnit['passage']): boolean {
  if (last.section !== first.section) return false
  if (last.block === first.block) return first.before === last.markdown
  const units = unitsOfPassage(passage)
  const isLastOfBlock = !units.some(({ block, before }) => block === last.block && before === last.markdown)
  if (first.before !== undefined || !isLastOfBlock) return false
  const between = units.filter(({ block }) => block > last.block && block < first.block)
  const blocks = new Set(between.map(({ block }) => block))
  return (
    blocks.size === first.block - last.block - 1 &&
    between.every(({ markdown }) => last.announced?.includes(markdown) === true)
  )
}

/** Whether one quote begins where another ends. */
function goesOnIn(quote: Quote, next: Quote): boolean {
  const [first] = next.units
  const last = quote.units.at(-1) ?? first
  if (quote.passage !== next.passage || isWhole(last) || isWhole(first)) return false
  return isNextTo(last, first, quote.passage)
}

/** What is put before the best quote makes it no longer than so many words: a citation shows about as many. */
const MOST_WORDS_JOINED = 60

/** Whether a quote leads to the next one in the same paragraph, and both together are short. */
function leadsTo(quote: Quote, next: Quote): boolean {
  const words = [...quote.units, ...next.units].flatMap(({ plain }) => plain.split(/\s+/))
  return words.length <= MOST_WORDS_JOINED && quote.units.every(({ block }) => block === next.units[0].block)
}

const isRowBeside = (unit: QuotableUnit, other: QuotableUnit) =>
  unit.kind === 'row' && other.kind === 'row' && unit.block === other.block

/** Whether both are rows of one table, which is shown once. */
const areOfOneTable = (one: Quote, other: Quote) =>
  one.passage === other.passage && other.units.every((unit) => isRowBeside(unit, one.units[0]))

/** All rows of two quotes, in the order of the table. */
function rowsOf(one: Quote, other: Quote, placed: readonly LocatedUnit[]): Quote {
  const all = new Set([...one.units, ...other.units])
  const [first = one.units[0], ...rest] = placed.map(({ unit }) => unit).filter((unit) => all.has(unit))
  return { ...one, units: [first, ...rest] }
}

/** What a unit adds to the one before it: of a second row of a table, the header is not shown again. */
export const shownAfter = (
  previous: QuotableUnit | undefined,
  unit: QuotableUnit,
  markdown: string,
): string =>
  previous !== undefined && isRowBeside(previous, unit)
    ? markdown.slice(markdown.lastIndexOf('\n') + 1)
    : markdown

/**
 * Joins rows of one table, and quotes that stand one after the other in their passage, in the order of the page. Before the best one only
 * what leads to it in its own paragraph is put: a reader begins with what answers, and understands it.
 */
export function joinQuotes(chosen: readonly Quote[], placed: readonly LocatedUnit[]): Quote[] {
  const joined: Quote[] = []
  for (const quote of chosen) {
    const table = joined.findIndex((one) => areOfOneTable(one, quote))
    const rows = joined[table]
    if (rows !== undefined) {
      joined[table] = rowsOf(rows, quote, placed)
      continue
    }
    const before = joined.findIndex((one) => goesOnIn(one, quote))
    const after = joined.findIndex((one, place) => goesOnIn(quote, one) && (place > 0 || leadsTo(quote, one)))
    const at = before < 0 ? after : before
    const other = joined[at]
    if (other === undefined) joined.push(quote)
    else {
      const [one, next] = before < 0 ? [quote, other] : [other, quote]
      joined[at] = { ...one, units: [...one.units, ...next.units] }
    }
  }
  return joined
}
