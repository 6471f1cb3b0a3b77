import type { AllFound } from './found.ts'
import { renderExcerpt } from './model-prompts.ts'
import type { EarlierTurn, Question } from './question.ts'
import type { FinalAnswer } from './steps/check-citations.ts'
import type { AnsweredTurn } from './steps/store-turn.ts'
import { newTrace, type AnswerTrace } from './trace.ts'
import type { Writing } from './writers.ts'

/** The record of a question that is being answered. Until it is complete, it counts as cancelled by its reader. */
export function beginTurn(question: Question): AnsweredTurn {
  const { topK, groupIds, sourceIds, includeRestricted, voice } = question
  return {
    question,
    rewrittenQuery: undefined,
    answer: '',
    citations: [],
    covered: false,
    confidence: 0,
    stoppedBy: 'cancelled',
    drewOn: [],
    // No more of the question than a replay needs: a trace is stored.
    trace: newTrace({ topK, groupIds, sourceIds, includeRestricted, voice }),
  }
}

export function recordFound(
  turn: AnsweredTurn,
  { query, mode, passages, evidence, coverage }: AllFound,
  earlier: readonly EarlierTurn[],
): void {
  // Also pages that were found but not shown as evidence: an answer that does not cover the question names the closest ones.
  const found = passages.map(({ documentId }) => documentId)
  turn.drewOn = [...new Set([...found, ...earlier.flatMap(({ drewOn }) => drewOn ?? [])])]
  turn.rewrittenQuery = query === turn.question.query ? undefined : query
  turn.trace.rewrittenQuery = turn.rewrittenQuery
  turn.trace.searchMode = mode
  turn.trace.coverage = coverage
  turn.trace.retrieved = passages.map((passage) => ({
    chunkId: passage.chunkId,
    documentId: passage.documentId,
    title: passage.title,
    url: passage.url,
    headingPath: passage.headingPath,
    versionLabel: passage.versionLabel,
    score: passage.score,
    similarity: passage.similarity,
    sentenceSimilarity: passage.sentenceSimilarity,
    coverage: passage.coverage,
    lexicalScore: passage.lexicalScore,
  }))
  turn.trace.evidence = evidence.map((piece, index) => ({
    number: index + 1,
    chunkIds: piece.passages.map(({ chunkId }) => chunkId),
    documentId: piece.passages[0]?.documentId ?? '',
    shown: renderExcerpt(piece, index + 1),
  }))
}

/** Records which writer answers, and the instructions of the model. */
export function recordWriting(
  { trace }: AnsweredTurn,
  { writer, messages }: Pick<Writing, 'writer' | 'messages'>,
  model: string | undefined,
): void {
  trace.writer = writer
  trace.model = writer === 'model' ? model : undefined
  trace.instructions = messages.find(({ role }) => role === 'system')?.content
}

/** Replaces the streamed answer with the checked one. */
export function recordAnswer(
  turn: AnsweredTurn,
  { text, cited, covered, confidence, dropped, checks }: FinalAnswer,
): void {
  turn.trace.written = turn.answer
  turn.answer = text
  turn.citations = cited
  turn.covered = covered
  turn.confidence = confidence
  turn.trace.dropped = dropped
  turn.trace.checks = checks
}

/** Measures steps into a trace: `await time('name', () => step())`. */
export function stopwatch(trace: AnswerTrace, now: () => number, askedAt: number) {
  const since = (startedAt: number) => Math.round((now() - startedAt) * 10) / 10
  const note = (name: string, startedAt: number) => trace.steps.push({ name, ms: since(startedAt) })

  async function time<Result>(name: string, step: () => Promise<Result> | Result): Promise<Result> {
    const startedAt = now()
    try {
      return await step()
    } finally {
      note(name, startedAt)
    }
  }

  /** Milliseconds since the question arrived. */
  const elapsed = () => since(askedAt)

  return Object.assign(time, { note, elapsed })
}
