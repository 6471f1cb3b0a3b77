import { createEventLoopYield } from '../../../kernel/yield-to-event-loop.ts'
import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { contentWordsOf, escapeMarkers, versionSaid } from '../../citations/citations.ts'
import { addressesIn, type AllowedAddresses } from '../evidence-addresses.ts'
import { keepToEvidence } from '../keep-to-evidence.ts'
import { leansBack, quotableUnits } from '../quotable-units.ts'
import { scoreUnits, type PlacedUnit, type ScoredUnit } from '../score-units.ts'
import type { ChosenEvidence } from './choose-evidence.ts'
import { sayNotCovered } from './say-not-covered.ts'

export interface QuoteDeps {
  /** Compares sentences with the question; without it their words alone are compared. */
  embedder: Embedder | undefined
}

const MOST_QUOTES = 3
const MOST_PAGES = 3
/** Evidence that is searched for quotes. */
const PIECES_READ = 8
/** A further quote has to be nearly as good as the best one. */
const NEARLY = 0.8
/** Two quotes that share more of their words say the same. */
const SAME_FROM = 0.7
/** Shorter units ("Note.", "See also") say nothing by themselves. In characters. */
const SHORTEST = 15

/** Says that what follows are quotes, and of which version where the pages have one. */
function introductionOf(quotes: readonly ScoredUnit[]): string {
  const version = versionSaid(quotes.map(({ passage }) => passage))
  return `The documentation${version === undefined ? '' : ` of ${version}`} says, word for word:`
}

async function unitsOf(evidence: readonly ChosenEvidence[]): Promise<PlacedUnit[]> {
  const breathe = createEventLoopYield()
  const placed: PlacedUnit[] = []
  for (const [place, { passages }] of evidence.slice(0, PIECES_READ).entries()) {
    for (const passage of passages) {
      await breathe()
      for (const unit of quotableUnits(passage.text)) {
        const saysSomething = unit.plain.length >= SHORTEST && !unit.plain.endsWith('?')
        if (saysSomething) placed.push({ unit, passage, number: place + 1 })
      }
    }
  }
  return placed
}

function saysTheSame(left: string, right: string): boolean {
  const [one, other] = [new Set(contentWordsOf(left)), new Set(contentWordsOf(right))]
  const common = [...one].filter((word) => other.has(word)).length
  return common >= SAME_FROM * Math.min(one.size, other.size)
}

/** The best units, different from each other, from few pages. */
function chooseQuotes(scored: readonly ScoredUnit[]): ScoredUnit[] {
  const [best] = scored
  const chosen: ScoredUnit[] = []
  for (const candidate of scored) {
    if (best === undefined || chosen.length === MOST_QUOTES || candidate.score < NEARLY * best.score) break
    const { unit, passage } = candidate
    const pages = new Set([...chosen.map((quote) => quote.passage.documentId), passage.documentId])
    const isRepeated = chosen.some(
      ({ unit: other }) =>
        saysTheSame(`${other.plain}\n${other.announced ?? ''}`, unit.plain) ||
        (other.before === unit.markdown && leansBack(other)),
    )
    if (pages.size <= MOST_PAGES && !isRepeated) chosen.push(candidate)
  }
  return chosen
}

const quoted = (markdown: string) =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** A quote as it is shown: marked as one, its number behind the words, code and tables as what they are. */
function renderQuote(
  { unit, number }: ScoredUnit,
  allowed: AllowedAddresses,
  said: ReadonlySet<string>,
): string {
  const safe = (markdown: string) => keepToEvidence(escapeMarkers(markdown), allowed)
  if (unit.kind !== 'sentence') return quoted(`${safe(unit.markdown)}\n\n[${number}]`)
  const needsLead = unit.before !== undefined && leansBack(unit) && !said.has(unit.before)
  const lead = needsLead ? `${safe(unit.before ?? '')} ` : ''
  const sentence = `${lead}${safe(unit.markdown)} [${number}]`
  return quoted(unit.announced === undefined ? sentence : `${sentence}\n\n${safe(unit.announced)}`)
}

/**
 * Answers without a model: the sentences, code blocks and table rows of the evidence that come closest to the question,
 * word for word, each with its number. Says that they are quotes.
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
