import { createEventLoopYield } from '../../kernel/yield-to-event-loop.ts'
import { contentWordsOf, escapeMarkers } from '../citations/citations.ts'
import type { AllowedAddresses } from './evidence-addresses.ts'
import { dependsOnPrevious, quotableUnits } from './quotable-units.ts'
import { sanitizeAnswerLinks } from './sanitize-answer-links.ts'
import type { LocatedUnit, ScoredUnit } from './score-units.ts'
import type { ChosenEvidence } from './steps/choose-evidence.ts'

const MAX_QUOTES = 3
const MAX_PAGES = 3
/** How many pieces of evidence are searched for quotes. */
const MAX_PIECES = 8
/** Minimum score of a further quote, relative to the best one. */
const MIN_RELATIVE_SCORE = 0.8
/** Two quotes that share more of their words count as duplicates. */
const DUPLICATE_OVERLAP = 0.7
/** Minimum length of a quote in characters. Shorter units ("Note.", "See also") have no content. */
const MIN_CHARACTERS = 15

/** The units of the evidence that say something, in order. */
export async function unitsOf(evidence: readonly ChosenEvidence[]): Promise<LocatedUnit[]> {
  const breathe = createEventLoopYield()
  const placed: LocatedUnit[] = []
  for (const [index, { passages }] of evidence.slice(0, MAX_PIECES).entries()) {
    for (const passage of passages) {
      await breathe()
      for (const unit of quotableUnits(passage.text)) {
        const saysSomething = unit.plain.length >= MIN_CHARACTERS && !unit.plain.endsWith('?')
        if (saysSomething) placed.push({ unit, passage, number: index + 1 })
      }
    }
  }
  return placed
}

function isDuplicate(left: string, right: string): boolean {
  const [one, other] = [new Set(contentWordsOf(left)), new Set(contentWordsOf(right))]
  const common = [...one].filter((word) => other.has(word)).length
  return common >= DUPLICATE_OVERLAP * Math.min(one.size, other.size)
}

/** Whether a quote says nothing that the chosen ones do not say. */
const isRepeated = ({ unit }: ScoredUnit, chosen: readonly ScoredUnit[]) =>
  chosen.some(
    ({ unit: other }) =>
      isDuplicate(`${other.plain}\n${other.announced ?? ''}`, unit.plain) ||
      (other.before === unit.markdown && dependsOnPrevious(other)),
  )

/** The best units, without duplicates, from few pages. */
export function chooseQuotes(scored: readonly ScoredUnit[]): ScoredUnit[] {
  const [best] = scored
  const chosen: ScoredUnit[] = []
  for (const candidate of scored) {
    if (
      best === undefined ||
      chosen.length === MAX_QUOTES ||
      candidate.score < MIN_RELATIVE_SCORE * best.score
    )
      break
    const pages = new Set([...chosen, candidate].map(({ passage }) => passage.documentId))
    if (pages.size <= MAX_PAGES && !isRepeated(candidate, chosen)) chosen.push(candidate)
  }
  return chosen
}

/** The best unit of each of the best pieces of evidence, without duplicates. */
export function bestOfEachPiece(scored: readonly ScoredUnit[]): ScoredUnit[] {
  const chosen: ScoredUnit[] = []
  for (const candidate of scored) {
    if (chosen.length === MAX_QUOTES) break
    const isTaken = chosen.some(({ number }) => number === candidate.number)
    if (!isTaken && !isRepeated(candidate, chosen)) chosen.push(candidate)
  }
  return chosen
}

const quoted = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** A quote as it is shown: a block quote with its number after the text; code and tables unquoted. */
function renderQuote(
  { unit, number }: ScoredUnit,
  allowed: AllowedAddresses,
  said: ReadonlySet<string>,
): string {
  const safe = (markdown: string) => sanitizeAnswerLinks(escapeMarkers(markdown), allowed)
  if (unit.kind !== 'sentence') return quoted(`${safe(unit.markdown)}\n\n[${number}]`)
  const needsLead = unit.before !== undefined && dependsOnPrevious(unit) && !said.has(unit.before)
  const lead = needsLead ? `${safe(unit.before ?? '')} ` : ''
  const sentence = `${lead}${safe(unit.markdown)} [${number}]`
  return quoted(unit.announced === undefined ? sentence : `${sentence}\n\n${safe(unit.announced)}`)
}

/** The quotes one after the other, each as a paragraph of its own. */
export function* renderQuotes(quotes: readonly ScoredUnit[], allowed: AllowedAddresses): Generator<string> {
  const said = new Set<string>()
  for (const quote of quotes) {
    yield `\n\n${renderQuote(quote, allowed, said)}`
    said.add(quote.unit.markdown)
  }
}
