import { createEventLoopYield } from '../../../kernel/yield-to-event-loop.ts'
import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { contentWordsOf, escapeMarkers, joinVersions } from '../../citations/citations.ts'
import { addressesIn, type AllowedAddresses } from '../evidence-addresses.ts'
import { sanitizeAnswerLinks } from '../sanitize-answer-links.ts'
import { dependsOnPrevious, quotableUnits } from '../quotable-units.ts'
import { scoreUnits, type LocatedUnit, type ScoredUnit } from '../score-units.ts'
import type { ChosenEvidence } from './choose-evidence.ts'
import { sayNotCovered } from './say-not-covered.ts'

export interface QuoteDeps {
  /** Compares sentences with the question; without it only their words are compared. */
  embedder: Embedder | undefined
}

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

/** Introduces the quotes, with their version if the pages have one. */
function introductionOf(quotes: readonly ScoredUnit[]): string {
  const version = joinVersions(quotes.map(({ passage }) => passage))
  return `The documentation${version === undefined ? '' : ` of ${version}`} says, word for word:`
}

async function unitsOf(evidence: readonly ChosenEvidence[]): Promise<LocatedUnit[]> {
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

/** The best units, without duplicates, from few pages. */
function chooseQuotes(scored: readonly ScoredUnit[]): ScoredUnit[] {
  const [best] = scored
  const chosen: ScoredUnit[] = []
  for (const candidate of scored) {
    if (
      best === undefined ||
      chosen.length === MAX_QUOTES ||
      candidate.score < MIN_RELATIVE_SCORE * best.score
    )
      break
    const { unit, passage } = candidate
    const pages = new Set([...chosen.map((quote) => quote.passage.documentId), passage.documentId])
    const isRepeated = chosen.some(
      ({ unit: other }) =>
        isDuplicate(`${other.plain}\n${other.announced ?? ''}`, unit.plain) ||
        (other.before === unit.markdown && dependsOnPrevious(other)),
    )
    if (pages.size <= MAX_PAGES && !isRepeated) chosen.push(candidate)
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

/**
 * Answers without a model: the sentences, code blocks and table rows of the evidence that are closest to the question,
 * verbatim, each with its number. The answer states that they are quotes.
 */
export async function* quoteEvidence(
  query: string,
  evidence: readonly ChosenEvidence[],
  { embedder }: QuoteDeps,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const placed = await unitsOf(evidence)
  if (placed.length === 0) {
    yield* sayNotCovered(evidence.flatMap(({ passages }) => passages))
    return
  }
  const quotes = chooseQuotes(await scoreUnits(query, placed, embedder, signal))
  const allowed = addressesIn(evidence)
  const said = new Set<string>()
  yield introductionOf(quotes)
  for (const quote of quotes) {
    signal.throwIfAborted()
    yield `\n\n${renderQuote(quote, allowed, said)}`
    said.add(quote.unit.markdown)
  }
}
