import { markdownWords } from '../../kernel/markdown-name.ts'
import { escapeMarkers } from '../citations/citations.ts'
import type { AllowedAddresses } from './evidence-addresses.ts'
import { sectionOfUnit } from './heading-share.ts'
import { shownAfter, type Quote } from './join-quotes.ts'
import type { OwnSentences } from './own-sentences.ts'
import { asLineStart } from './paragraph-sentences.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import { sanitizeAnswerLinks } from './sanitize-answer-links.ts'

const quoted = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** What stands between two units that are shown one after the other: in a paragraph, what the page has there. */
function glueBetween(previous: QuotableUnit, next: QuotableUnit): string {
  if (previous.block === next.block && previous.kind === 'sentence' && previous.announced === undefined)
    return next.gap
  if (previous.kind === 'row' && next.kind === 'row') return '\n'
  const areItems = [previous, next].every(({ isItem, kind }) => isItem && kind === 'sentence')
  return areItems && previous.announced === undefined && next.item?.isBegun !== true ? '\n' : '\n\n'
}

const leadOf = ({ lead }: QuotableUnit, said: ReadonlySet<string>) =>
  lead === undefined || said.has(lead.markdown) ? undefined : lead

/** What a reader needs before the first unit of a quote: the line above its list, or the sentence that it refers to. */
function shownBefore(
  first: QuotableUnit,
  said: ReadonlySet<string>,
  safe: (markdown: string) => string,
): string {
  const lead = leadOf(first, said)
  // Numbers say themselves what is left out, and a list of "- …" and "3." would be two.
  const left = lead?.isSkipping === true && first.item?.isOrdered !== true ? '- …\n' : ''
  if (lead !== undefined) return `${safe(lead.markdown)}\n\n${left}`
  const { before } = first
  return before !== undefined && dependsOnPrevious(first) && !said.has(before)
    ? `${safe(before)}${first.gap}`
    : ''
}

/** How a unit is shown behind the one before it: an item of a list with its own marker, and what is within another item indented. */
function shownUnit(
  unit: QuotableUnit,
  { previous, isList, outer }: { previous: QuotableUnit | undefined; isList: boolean; outer: number },
  safe: (markdown: string) => string,
): string {
  const { item, kind } = unit
  const shown = shownAfter(previous, unit, safe(unit.markdown))
  if (kind !== 'sentence') return shown
  if (previous?.block === unit.block) return shown
  const begun = asLineStart(shown)
  if (item === undefined || !(isList || item.isOrdered)) return begun
  const indent = ' '.repeat(Math.max(0, item.indent - outer))
  if (!item.isBegun) return `${indent}${item.marker}${begun}`
  return previous === undefined
    ? `${item.marker}… ${begun}`
    : `${indent}${' '.repeat(item.marker.length)}${begun}`
}

/** What shows that a list goes on behind its last quoted item: the marker of the next one. */
function restOf({ item, kind, announced }: QuotableUnit, all: readonly QuotableUnit[]): string {
  if (item === undefined || kind !== 'sentence' || announced !== undefined) return ''
  const next = all.find((unit) => unit.item?.list === item.list && unit.item.place === item.place + 1)
  return next?.item === undefined ? '' : `\n${next.item.marker}…`
}

const outermost = (units: readonly QuotableUnit[]) =>
  units.find(({ item }) => item !== undefined)?.item?.indent ?? 0

/** A quote as it is shown: a block quote with its number after its last sentence. */
function renderQuote(
  { units, number, passage }: Quote,
  allowed: AllowedAddresses,
  said: ReadonlySet<string>,
): string {
  const safe = (markdown: string) => sanitizeAnswerLinks(escapeMarkers(markdown), allowed)
  const lastSentence = units.findLast(({ kind }) => kind === 'sentence')
  const hasLead = leadOf(units[0], said) !== undefined
  const isList = hasLead || units.filter(({ isItem, kind }) => isItem && kind === 'sentence').length > 1
  const outer = outermost(units)
  let text = shownBefore(units[0], said, safe)
  const isBegun = text !== '' && !hasLead
  for (const [index, unit] of units.entries()) {
    const previous = units[index - 1]
    if (previous !== undefined) text += glueBetween(previous, unit)
    text += isBegun && index === 0 ? safe(unit.markdown) : shownUnit(unit, { previous, isList, outer }, safe)
    if (unit === lastSentence) text += ` [${number}]`
    if (unit.announced !== undefined) text += `\n\n${safe(unit.announced)}`
  }
  if (isList) text += restOf(units.at(-1) ?? units[0], unitsOfPassage(passage))
  return quoted(lastSentence === undefined ? `${text}\n\n[${number}]` : text)
}

/** Maximum length of a heading above a quote. */
const MAX_HEADING_LENGTH = 100

/** Headings of reference pages: what is said below them is about this function or setting, and often does not name it. */
const NAMES_CODE =
  // bounded: at most 100 characters, a heading that may be shown
  /^(?:async |class |(?:class)?method |static |function |attribute |property |exception |coroutine |-{1,2}[A-Za-z]|<[a-z]|[A-Za-z_][\w.]*\(|[a-z]+[A-Z]\w*$|[A-Za-z_]\w*\.\w[\w.]*$)/

/** The name of a function without its parameters and its type: `open()`. An option with brackets, `--fixup=[(amend|reword):]`, is whole. */
const nameOfCode = (heading: string) =>
  heading.replace(/^((?:[a-z]+ ){0,2}[\w.$:]+)\(.*$/s, '$1()').replace(/^([\w. ]+): .*$/s, '$1')

interface Origin {
  /** The page, and the section if it has a name of its own. */
  section: string
  /** Whether a reader needs the heading to understand the quote. */
  isNeeded: boolean
}

/** What a quote is from: its page, and the heading above it. */
function originOf({ units: [first], passage }: Quote): Origin {
  const { title } = passage
  const heading = sectionOfUnit(first, passage)
  const isCode =
    NAMES_CODE.test(heading.slice(0, MAX_HEADING_LENGTH)) || (heading.includes('_') && !/\s/.test(heading))
  const isSaid = first.plain === heading || (isCode && first.plain.includes(heading))
  const name = isCode ? nameOfCode(heading) : heading
  const isNamed = name !== '' && name !== title && name.length <= MAX_HEADING_LENGTH && !isSaid
  const [begin] = unitsOfPassage(passage).filter(({ section }) => section === first.section)
  const isWithin = first !== begin
  const isNeeded = isNamed && (isCode || heading.endsWith('?') || isWithin)
  return { section: isNamed ? `${title} › ${name}` : title, isNeeded }
}

/**
 * The quotes one after the other, each as a paragraph of its own; those of several pages or sections below the names of these, and those
 * that need it below the name of their entry or their question.
 */
export function* renderQuotes(
  quotes: readonly Quote[],
  allowed: AllowedAddresses,
  { from }: Pick<OwnSentences, 'from'>,
): Generator<string> {
  const said = new Set<string>()
  const all = quotes.map((quote) => [quote, originOf(quote)] as const)
  const byPage = Map.groupBy(all, ([{ passage }]) => passage.documentId)
    .values()
    .flatMap((ofPage) => ofPage)
  const isMixed = new Set(all.map(([, { section }]) => section)).size > 1
  let last: string | undefined
  for (const [quote, { section, isNeeded }] of byPage) {
    const isShown = (isMixed || isNeeded) && section !== last
    last = section
    // A heading may end with a sign of its own: "How do I start?:".
    const label = asLineStart(from(markdownWords(section))).replace(/(?<=[?!:？！：])[:：]$/, '')
    yield `${isShown ? `\n\n${label}` : ''}\n\n${renderQuote(quote, allowed, said)}`
    for (const { markdown, lead } of quote.units) said.add(markdown).add(lead?.markdown ?? markdown)
  }
}
