import { markdownName } from '../../kernel/markdown-name.ts'
import { escapeMarkers } from '../citations/citations.ts'
import type { AllowedAddresses } from './evidence-addresses.ts'
import { sectionOfUnit } from './heading-share.ts'
import { shownAfter, type Quote } from './join-quotes.ts'
import type { OwnSentences } from './own-sentences.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import { sanitizeAnswerLinks } from './sanitize-answer-links.ts'

const quoted = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** What stands between two units that are shown one after the other. */
function glueBetween(previous: QuotableUnit, next: QuotableUnit): string {
  if (previous.block === next.block && previous.kind === 'sentence' && previous.announced === undefined)
    return ' '
  if (previous.kind === 'row' && next.kind === 'row') return '\n'
  const areItems = [previous, next].every(({ isItem, kind }) => isItem && kind === 'sentence')
  return areItems && previous.announced === undefined ? '\n' : '\n\n'
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
  if (lead !== undefined) return `${safe(lead.markdown)}\n\n${lead.isSkipping ? '- …\n' : ''}`
  const { before } = first
  return before !== undefined && dependsOnPrevious(first) && !said.has(before) ? `${safe(before)} ` : ''
}

/** A quote as it is shown: a block quote with its number after its last sentence. */
function renderQuote({ units, number }: Quote, allowed: AllowedAddresses, said: ReadonlySet<string>): string {
  const safe = (markdown: string) => sanitizeAnswerLinks(escapeMarkers(markdown), allowed)
  const lastSentence = units.findLast(({ kind }) => kind === 'sentence')
  const hasLead = leadOf(units[0], said) !== undefined
  const isList = hasLead || units.filter(({ isItem, kind }) => isItem && kind === 'sentence').length > 1
  let text = shownBefore(units[0], said, safe)
  for (const [index, unit] of units.entries()) {
    const previous = units[index - 1]
    const isSentence = unit.kind === 'sentence'
    const isFirstOfItem = isList && isSentence && unit.isItem && previous?.block !== unit.block
    if (previous !== undefined) text += glueBetween(previous, unit)
    text += `${isFirstOfItem ? '- ' : ''}${shownAfter(previous, unit, safe(unit.markdown))}`
    if (unit === lastSentence) text += ` [${number}]`
    if (unit.announced !== undefined) text += `\n\n${safe(unit.announced)}`
  }
  return quoted(lastSentence === undefined ? `${text}\n\n[${number}]` : text)
}

/** Maximum length of a heading above a quote. */
const MAX_HEADING_LENGTH = 100

/** Headings of reference pages: what is said below them is about this function or setting, and often does not name it. */
const NAMES_CODE =
  // bounded: at most 100 characters, a heading that may be shown
  /^(?:async |class |(?:class)?method |static |function |attribute |property |exception |coroutine |-{1,2}[A-Za-z]|<[a-z]|[A-Za-z_][\w.]*\(|[a-z]+[A-Z]\w*$|[A-Za-z_]\w*\.\w[\w.]*$)/

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
  // Without its parameters and its type: `open()`.
  const name = isCode ? heading.replace(/\(.*$/s, '()').replace(/: .*$/s, '') : heading
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
    const label = from(markdownName(section)).replace(/(?<=[?!:？！：])[:：]$/, '')
    yield `${isShown ? `\n\n${label}` : ''}\n\n${renderQuote(quote, allowed, said)}`
    for (const { markdown, lead } of quote.units) said.add(markdown).add(lead?.markdown ?? markdown)
  }
}
