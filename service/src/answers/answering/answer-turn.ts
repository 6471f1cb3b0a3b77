import type { Passage } from '../../content/search/search.ts'
import type { Coverage } from './coverage-gate.ts'
import type { Question } from './question.ts'
import type { FinalAnswer } from './steps/check-citations.ts'
import type { ChosenEvidence } from './steps/choose-evidence.ts'
import type { AnsweredTurn } from './steps/store-turn.ts'
import { newTrace, type AnswerTrace } from './trace.ts'

/** The record of a question that is being answered. Until it is whole, it counts as left by its reader. */
export function beginTurn(question: Question): AnsweredTurn {
  return {
    question,
    rewrittenQuery: undefined,
    answer: '',
    citations: [],
    covered: false,
    confidence: 0,
    stoppedBy: 'cancelled',
    trace: newTrace(),
  }
}

/** What was found for a question, and what of it the writer gets. */
export interface Found {
  query: string
  mode: 'hybrid' | 'lexical'
  passages: readonly Passage[]
  evidence: readonly ChosenEvidence[]
  coverage: Coverage
}

export function noteFound(turn: AnsweredTurn, { query, mode, passages, evidence, coverage }: Found): void {
  turn.rewrittenQuery = query === turn.question.query ? undefined : query
  turn.trace.rewrittenQuery = turn.rewrittenQuery
  turn.trace.searchMode = mode
  turn.trace.coverage = coverage
  turn.trace.retrieved = passages.map(({ chunkId, documentId, title, score, similarity, lexicalScore }) => ({
    chunkId,
    documentId,
    title,
    score,
    similarity,
    lexicalScore,
  }))
  turn.trace.evidence = evidence.map(({ passages: run }, place) => ({
    number: place + 1,
    chunkIds: run.map(({ chunkId }) => chunkId),
  }))
}

/** Puts the checked answer in the place of the one that was streamed. */
export function noteAnswer(
  turn: AnsweredTurn,
  { text, cited, covered, confidence, dropped }: FinalAnswer,
): void {
  turn.answer = text
  turn.citations = cited
  turn.covered = covered
  turn.confidence = confidence
  turn.trace.dropped = dropped
}

/** Measures steps into a trace: `await time('name', step())`. */
export function stopwatch(trace: AnswerTrace, now: () => number) {
  return async <Result>(name: string, step: Promise<Result>): Promise<Result> => {
    const startedAt = now()
    try {
      return await step
    } finally {
      trace.steps.push({ name, ms: Math.round((now() - startedAt) * 10) / 10 })
    }
  }
}
