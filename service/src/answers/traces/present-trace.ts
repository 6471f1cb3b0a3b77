import { snakeCase } from '../../kernel/snake-case.ts'
import type { AnswerSteps } from '@citewell/contract/traces'
import type { TracedEvidence, TracedPassage } from '../answering/answering.ts'
import type { CitationCheck } from '../citations/citations.ts'
import type { TracedAnswer } from './traced-answer.ts'

/** Whether the caller may read a document. */
export type MayRead = (documentId: string) => boolean

/** Rounds to thousandths, which are precise enough to compare. */
const rounded = (value: number) => Math.round(value * 1_000) / 1_000
const roundedOrNull = (value: number | undefined) => (value === undefined ? null : rounded(value))

function presentPassage(
  passage: TracedPassage,
  index: number,
  shownAs: number | undefined,
  mayRead: MayRead,
) {
  const isWithheld = !mayRead(passage.documentId)
  return {
    rank: index + 1,
    chunk_id: passage.chunkId,
    document_id: passage.documentId,
    title: isWithheld ? null : passage.title,
    url: isWithheld ? null : passage.url,
    heading_path: isWithheld ? null : passage.headingPath,
    version_label: isWithheld ? null : (passage.versionLabel ?? null),
    score: rounded(passage.score),
    similarity: roundedOrNull(passage.similarity),
    sentence_similarity: roundedOrNull(passage.sentenceSimilarity),
    word_coverage: rounded(passage.coverage),
    word_score: roundedOrNull(passage.lexicalScore),
    shown_as: shownAs ?? null,
    withheld: isWithheld,
  }
}

function presentEvidence({ number, documentId, chunkIds, shown }: TracedEvidence, mayRead: MayRead) {
  const isWithheld = !mayRead(documentId)
  return {
    number,
    document_id: documentId,
    chunk_ids: chunkIds,
    text: isWithheld ? null : shown,
    withheld: isWithheld,
  }
}

function presentCheck({ number, claim, became, reason }: CitationCheck, isWithheld: boolean) {
  const outcome = became === undefined ? 'dropped' : became === number ? 'kept' : 'moved'
  return {
    number,
    claim: isWithheld ? null : claim,
    outcome,
    became: became ?? null,
    reason: reason ?? null,
  } as const
}

/** An answer step by step, limited to the documents that the caller may read. */
export function presentSteps(answer: TracedAnswer, mayRead: MayRead): AnswerSteps {
  const { trace } = answer
  const isWithheld = !(
    answer.drewOn.every((documentId) => mayRead(documentId)) &&
    answer.citations.every(({ document_id }) => mayRead(document_id))
  )
  const unlessWithheld = <Value>(value: Value) => (isWithheld ? null : value)
  const numberOf = new Map(
    trace.evidence.flatMap(({ number, chunkIds }) => chunkIds.map((id) => [id, number])),
  )
  return {
    query: answer.query,
    // It may contain titles of pages.
    rewritten_query: unlessWithheld(answer.rewrittenQuery ?? null),
    earlier: trace.earlier.map((turn) => ({ query: turn.query, answer: unlessWithheld(turn.answer) })),
    scope: {
      top_k: trace.asked.topK,
      source_group_ids: trace.asked.groupIds ?? null,
      includes_restricted: trace.asked.includeRestricted,
    },
    search_mode: trace.searchMode ?? null,
    retrieved: trace.retrieved.map((passage, index) =>
      presentPassage(passage, index, numberOf.get(passage.chunkId), mayRead),
    ),
    coverage:
      trace.coverage === undefined
        ? null
        : {
            covered: trace.coverage.isCovered,
            confidence: rounded(trace.coverage.confidence),
            features: Object.fromEntries(
              Object.entries(trace.coverage.features).map(([name, value]) => [
                snakeCase(name),
                rounded(value),
              ]),
            ),
          },
    writer: trace.writer ?? null,
    model: trace.model ?? null,
    instructions: trace.instructions ?? null,
    evidence: trace.evidence.map((evidence) => presentEvidence(evidence, mayRead)),
    written: unlessWithheld(trace.written),
    citation_checks: trace.checks.map((check) => presentCheck(check, isWithheld)),
    answer: unlessWithheld(answer.answer),
    citations: isWithheld ? [] : [...answer.citations],
    covered: answer.covered,
    confidence: rounded(answer.confidence),
    stopped_by: answer.stoppedBy ?? null,
    withheld: isWithheld,
    steps: trace.steps.map(({ name, ms }) => ({ name, ms: Math.round(ms * 10) / 10 })),
    first_ms: trace.firstMs ?? null,
    total_ms: trace.totalMs ?? null,
  }
}
