import type { Embedder } from '../../../platform/embedding/embedder.ts'
import { contentWordsOf, escapeMarkers } from '../../citations/citations.ts'
import type { Coverage } from '../coverage-gate.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { sanitizeAnswerLinks } from '../sanitize-answer-links.ts'
import type { Evidence } from '../../citations/citations.ts'
import type { AskContext } from './prepare-question.ts'

export interface FindCustomAnswerDeps {
  customAnswers: {
    /** The subset of the documents that are custom answers, each with its number of passages. */
    findAmong: (knowledgeBaseId: string, documentIds: readonly string[]) => Promise<Map<string, number>>
  }
}

/** A custom answer among the evidence. */
export interface CustomAnswerFound {
  markdown: string
  /** Number of its evidence, from 1. */
  number: number
}

/** How many pieces of evidence are searched for a custom answer. */
const MAX_PIECES = 3
/** Minimum cosine of two questions that ask the same. */
const SAME_MEANING = 0.7
/** The same by common words, 0 to 1. */
const SAME_WORDS = 0.75

/** Similarity of two questions by words (Dice coefficient): twice the common words, divided by all of them. 0 to 1. */
function commonWords(left: string, right: string): number {
  const [one, other] = [new Set(contentWordsOf(left)), new Set(contentWordsOf(right))]
  const common = [...one].filter((word) => other.has(word)).length
  return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size)
}

/** @param asked.masked with all its words: in a language that is not the pages', two questions share most of the small ones */
async function areSameQuestion(
  { query, masked }: { query: string; masked: string },
  title: string,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (commonWords(masked, title) === 1 || commonWords(query, title) >= SAME_WORDS) return true
  if (embedder === undefined) return false
  try {
    const [asked, answered] = await Promise.all([
      embedder.embedQuery(query, signal),
      embedder.embedQuery(title, signal),
    ])
    return asked.reduce((sum, value, at) => sum + value * (answered[at] ?? 0), 0) >= SAME_MEANING
  } catch {
    // A model that fails leaves it to their words, as the search before did.
    signal.throwIfAborted()
    return false
  }
}

/**
 * Whether a question that was completed by the words of earlier ones is about this page: "When are keys rotated?" after a refund is not.
 * One without words of its own ("And why?") is about what was asked before.
 */
function hasOwnWord(query: string, page: string): boolean {
  const own = contentWordsOf(query)
  const words = new Set(contentWordsOf(page))
  return own.length === 0 || own.some((word) => words.has(word))
}

/**
 * The custom answer to this question, possibly in other words, with its number in the evidence. It is quoted only if no model answers,
 * which reads it like any other page.
 *
 * @param asked `own`: as it was asked; `masked`: completed from its conversation; `query`: as it was searched for
 */
export async function findCustomAnswer(
  { knowledgeBaseId, own, ...asked }: { knowledgeBaseId: string; own: string; query: string; masked: string },
  evidence: readonly Evidence[],
  { model, embedder, customAnswers }: FindCustomAnswerDeps & Pick<AskContext, 'model' | 'embedder'>,
  signal: AbortSignal,
): Promise<CustomAnswerFound | undefined> {
  if (model !== undefined) return undefined
  const first = evidence.slice(0, MAX_PIECES)
  const documentIds = first.flatMap(({ passages }) => passages[0]?.documentId ?? [])
  const lengths = await customAnswers.findAmong(knowledgeBaseId, documentIds)
  for (const [index, { passages }] of first.entries()) {
    const [passage] = passages
    // A part of a long answer may be missing from the evidence: then it is quoted like any other page.
    if (passage === undefined || lengths.get(passage.documentId) !== passages.length) continue
    const markdown = passages.map(({ text }) => text).join('\n\n')
    if (asked.masked !== own && !hasOwnWord(own, `${passage.title} ${markdown}`)) continue
    if (await areSameQuestion(asked, passage.title, embedder, signal)) return { markdown, number: index + 1 }
  }
  return undefined
}

/** Confidence that a custom answer answers its own question. */
const CUSTOM_ANSWER_CONFIDENCE = 0.95

/** By a custom answer the owner has established that this question is covered, which overrides the gate. */
export const coverageWith = (custom: CustomAnswerFound | undefined, coverage: Coverage): Coverage =>
  custom === undefined
    ? coverage
    : {
        ...coverage,
        confidence: Math.max(coverage.confidence, CUSTOM_ANSWER_CONFIDENCE),
        isCovered: true,
        isNear: true,
      }

/** Lines after which no text may follow: of code, of a table. */
const NO_TEXT_AFTER = /^(?:```|~~~|\||\s{4})/

/** Answers with the text of the custom answer, followed by its citation. */
export async function* quoteCustomAnswer(
  { markdown, number }: CustomAnswerFound,
  evidence: readonly Evidence[],
): AsyncGenerator<string, void, void> {
  const safe = sanitizeAnswerLinks(escapeMarkers(markdown), addressesIn(evidence))
  const lastLine = safe.slice(safe.lastIndexOf('\n') + 1)
  yield NO_TEXT_AFTER.test(lastLine) ? `${safe}\n\n[${number}]` : `${safe} [${number}]`
}
