import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { contentWordsOf, escapeMarkers } from '../../citations/citations.ts'
import type { Coverage } from '../coverage-gate.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { keepToEvidence } from '../keep-to-evidence.ts'
import type { ChosenEvidence } from './choose-evidence.ts'

export interface FindCustomAnswerDeps {
  /** Compares the question with the ones that the owner answered; without it their words alone are compared. */
  embedder: Embedder | undefined
  /** Those of the documents that are custom answers, each with how many passages it has. */
  customAnswersAmong: (
    knowledgeBaseId: string,
    documentIds: readonly string[],
  ) => Promise<Map<string, number>>
}

/** An answer that the owner wrote, as it stands among the evidence. */
export interface CustomAnswerFound {
  markdown: string
  /** Number of its evidence, from 1. */
  number: number
}

/** Pieces of evidence among which a custom answer is looked for. */
const PIECES_READ = 3
/** Cosine from which two questions ask the same. */
const SAME_MEANING = 0.7
/** Part of the words of both from which they do, 0 to 1. */
const SAME_WORDS = 0.75

/** How much two questions have in common: twice the common words, by all of them. 0 to 1. */
function commonWords(left: string, right: string): number {
  const [one, other] = [new Set(contentWordsOf(left)), new Set(contentWordsOf(right))]
  const common = [...one].filter((word) => other.has(word)).length
  return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size)
}

async function askTheSame(
  query: string,
  title: string,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (commonWords(query, title) >= SAME_WORDS) return true
  if (embedder === undefined) return false
  const [asked, answered] = await Promise.all([
    embedder.embedQuery(query, signal),
    embedder.embedQuery(title, signal),
  ])
  return asked.reduce((sum, value, at) => sum + value * (answered[at] ?? 0), 0) >= SAME_MEANING
}

/** The answer that the owner wrote to this very question, in other words perhaps, with its number among the evidence. */
export async function findCustomAnswer(
  { knowledgeBaseId, query }: { knowledgeBaseId: string; query: string },
  evidence: readonly ChosenEvidence[],
  { embedder, customAnswersAmong }: FindCustomAnswerDeps,
  signal: AbortSignal,
): Promise<CustomAnswerFound | undefined> {
  const first = evidence.slice(0, PIECES_READ)
  const documentIds = first.flatMap(({ passages }) => passages[0]?.documentId ?? [])
  const lengths = await customAnswersAmong(knowledgeBaseId, documentIds)
  for (const [place, { passages }] of first.entries()) {
    const [passage] = passages
    // Of a long answer a part may be missing: then it is quoted as any other page.
    if (passage === undefined || lengths.get(passage.documentId) !== passages.length) continue
    if (await askTheSame(query, passage.title, embedder, signal))
      return { markdown: passages.map(({ text }) => text).join('\n\n'), number: place + 1 }
  }
  return undefined
}

/** How sure it is that an owner's answer answers its own question. */
const OWNERS_CONFIDENCE = 0.95

/** The owner has said that this question is covered: the gate, which only guesses, is not asked. */
export const coveredByOwner = (coverage: Coverage): Coverage => ({
  ...coverage,
  confidence: Math.max(coverage.confidence, OWNERS_CONFIDENCE),
  isCovered: true,
  isHopeless: false,
})

/** Lines behind which no words may stand: of code, of a table. */
const TAKES_NOTHING_BEHIND = /^(?:```|~~~|\||\s{4})/

/** Answers with the owner's words, and their number behind them. */
export async function* giveCustomAnswer(
  { markdown, number }: CustomAnswerFound,
  evidence: readonly ChosenEvidence[],
): AsyncGenerator<string, void, void> {
  const safe = keepToEvidence(escapeMarkers(markdown), addressesIn(evidence))
  const lastLine = safe.slice(safe.lastIndexOf('\n') + 1)
  yield TAKES_NOTHING_BEHIND.test(lastLine) ? `${safe}\n\n[${number}]` : `${safe} [${number}]`
}
