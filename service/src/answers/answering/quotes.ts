import { createEventLoopYield } from '../../kernel/yield-to-event-loop.ts'
import { markdownName } from '../../kernel/markdown-name.ts'
import { contentWordsOf, escapeMarkers } from '../citations/citations.ts'
import type { AllowedAddresses } from './evidence-addresses.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'
import { sectionOfUnit } from './heading-share.ts'
import { isNextTo, isWhole, joinQuotes, shownAfter, type Quote } from './join-quotes.ts'
import type { OwnSentences } from './own-sentences.ts'
import { sanitizeAnswerLinks } from './sanitize-answer-links.ts'
import { isFragment, isLooseEnd, type LocatedUnit, type ScoredUnit } from './score-units.ts'
import type { Evidence } from '../citations/citations.ts'

const MAX_QUOTES = 4
/** How many pieces of evidence are searched for quotes. */
const MAX_PIECES = 8
/** Minimum score of a further quote, relative to the best one. */
const MIN_RELATIVE_SCORE = 0.7
/** Words after which a quote is not continued, of the best quote and of further ones; and of all together. */
const WORDS = { best: 60, further: 30, all: 180 }
/** Two quotes that share more of their words count as duplicates. */
const DUPLICATE_OVERLAP = 0.7
/** Minimum length of a quote in characters. Shorter units ("Note.", "See also") have no content. */
const MIN_CHARACTERS = 15

/** The units of the evidence that say something, in order. */
export async function unitsOf(evidence: readonly Evidence[]): Promise<LocatedUnit[]> {
  const breathe = createEventLoopYield()
  const placed: LocatedUnit[] = []
  for (const [index, { passages }] of evidence.slice(0, MAX_PIECES).entries()) {
    for (const passage of passages) {
      await breathe()
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

/** A block is quoted with the sentence that introduces it. */
function introduced({ unit, ...rest }: LocatedUnit, placed: readonly LocatedUnit[]): LocatedUnit {
  const place = placed.findIndex((one) => one.unit === unit)
  const before = placed[place - 1]
  const isAnnounced =
    before?.passage === rest.passage && before.unit.announced?.includes(unit.markdown) === true
  return isAnnounced ? before : { unit, ...rest }
}

/**
 * The unit, and what follows it in its passage and was not quoted yet, up to this many words, without a loose end. Rows and facts are
 * complete on their own.
 */
function continued({ unit, passage, number }: LocatedUnit, words: number, chosen: readonly Quote[]): Quote {
  const units: [QuotableUnit, ...QuotableUnit[]] = [unit]
  const all = unitsOfPassage(passage)
  let left = words - countWords(whole(unit))
  for (const next of all.slice(all.indexOf(unit) + 1)) {
    if (left <= 0 || isWhole(unit) || isWhole(next)) break
    const last = units.at(-1) ?? unit
    if (last.announced?.includes(next.markdown) === true) continue
    const length = countWords(whole(next))
    if (!isNextTo(last, next, passage) || next.plain.endsWith('?')) break
    if (length > left || isRepeated(next, chosen)) break
    units.push(next)
    left -= length
  }
  while (units.length > 1 && units.slice(-1).every(isLooseEnd)) units.pop()
  return { units, passage, number }
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
    const begin = introduced(candidate, placed)
    if (!accepts(candidate, chosen) || [candidate, begin].some(({ unit }) => isRepeated(unit, chosen)))
      continue
    const quote = continued(begin, words(chosen), chosen)
    left -= quote.units.reduce((sum, unit) => sum + countWords(whole(unit)), 0)
    chosen.push(quote)
  }
  return joinQuotes(chosen, placed)
}

/** The best units, each with what follows it. */
export function chooseQuotes(scored: readonly ScoredUnit[], placed: readonly LocatedUnit[]): Quote[] {
  const least = MIN_RELATIVE_SCORE * (scored[0]?.score ?? 0)
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

/** A quote as it is shown: a block quote with its number after its last sentence. */
function renderQuote({ units, number }: Quote, allowed: AllowedAddresses, said: ReadonlySet<string>): string {
  const safe = (markdown: string) => sanitizeAnswerLinks(escapeMarkers(markdown), allowed)
  const lastSentence = units.findLast(({ kind }) => kind === 'sentence')
  const isSeveralItems = units.filter(({ isItem, kind }) => isItem && kind === 'sentence').length > 1
  const [first] = units
  const needsLead = first.before !== undefined && dependsOnPrevious(first) && !said.has(first.before)
  let text = needsLead ? `${safe(first.before ?? '')} ` : ''
  for (const [index, unit] of units.entries()) {
    const previous = units[index - 1]
    const isSentence = unit.kind === 'sentence'
    const isFirstOfItem = isSeveralItems && isSentence && unit.isItem && previous?.block !== unit.block
    if (previous !== undefined) text += glueBetween(previous, unit)
    text += `${isFirstOfItem ? '- ' : ''}${shownAfter(previous, unit, safe(unit.markdown))}`
    if (unit === lastSentence) text += ` [${number}]`
    if (unit.announced !== undefined) text += `\n\n${safe(unit.announced)}`
  }
  return quoted(lastSentence === undefined ? `${text}\n\n[${number}]` : text)
}

/** Headings of reference pages: what is said below them is about this function or setting, and often does not name it. */
const NAMES_CODE =
  /^(?:async |class |(?:class)?method |static |function |attribute |property |exception |coroutine |-{1,2}[a-z]|[A-Za-z_][\w.]*\()/

/** What a quote is from: its page, and the heading that says what it is about if it does not say so itself. */
function originOf({ units: [first], passage }: Quote): { page: string; entry: string | undefined } {
  const heading = sectionOfUnit(first, passage)
  const isName = NAMES_CODE.test(heading) || (heading.includes('_') && !/\s/.test(heading))
  const isEntry = isName && !first.plain.includes(heading)
  // Without its parameters and its type: `open()`.
  const name = heading.replace(/\(.*$/s, '()').replace(/: .*$/s, '')
  return { page: passage.title, entry: isEntry ? `${passage.title} › ${name}` : undefined }
}

/**
 * The quotes one after the other, each as a paragraph of its own; those of several pages below the name of their page, those of
 * reference pages below the name of their entry.
 */
export function* renderQuotes(
  quotes: readonly Quote[],
  allowed: AllowedAddresses,
  { from }: Pick<OwnSentences, 'from'>,
): Generator<string> {
  const said = new Set<string>()
  const byPage = Map.groupBy(quotes, ({ passage }) => passage.documentId)
  for (const ofPage of byPage.values()) {
    let last: string | undefined
    for (const [index, quote] of ofPage.entries()) {
      const { page, entry } = originOf(quote)
      const origin = entry ?? (last !== undefined || (byPage.size > 1 && index === 0) ? page : undefined)
      const title = origin === undefined || origin === last ? '' : `\n\n${from(markdownName(origin))}`
      last = origin
      yield `${title}\n\n${renderQuote(quote, allowed, said)}`
      for (const { markdown } of quote.units) said.add(markdown)
    }
  }
}
