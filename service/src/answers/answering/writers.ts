import type { LanguageModel, ModelMessage } from '../../platform/llm/language-model.ts'
import type { MaskingStream } from '../pii/pii.ts'
import type { Found } from './found.ts'
import { answerMessages } from './model-prompts.ts'
import type { EarlierTurn, Question } from './question.ts'
import { quoteCustomAnswer } from './steps/find-custom-answer.ts'
import { quoteEvidence, type QuoteDeps } from './steps/quote-evidence.ts'
import { NOT_COVERED, quoteNearest, sayNotCovered } from './steps/say-not-covered.ts'
import { writeAnswer } from './steps/write-answer.ts'

export interface WriteDeps {
  /** A delimiter that no page can contain: new for each question. */
  newFence: () => string
}

/** An answer that is being written. */
export interface Writing {
  /** Quotes are exact and need no check, a model's text does; `nobody` wrote the "not covered" text. */
  writer: 'model' | 'quotes' | 'nobody'
  pieces: AsyncGenerator<string, void, void>
  /** Set by a writer that discovers while writing that the evidence does not answer the question. */
  verdict: { saysNotCovered: boolean }
  /** The messages for the model; empty if none is called. */
  messages: ModelMessage[]
}

/** The model's text, followed by the nearest passages if it says that the evidence does not answer the question. */
async function* addNearest(
  pieces: AsyncIterable<string>,
  verdict: Writing['verdict'],
  nearest: () => AsyncIterable<string>,
): AsyncGenerator<string, void, void> {
  let hasWritten = false
  for await (const piece of pieces) {
    hasWritten ||= piece.trim() !== ''
    yield piece
  }
  if (!verdict.saysNotCovered) return
  if (!hasWritten) yield NOT_COVERED
  yield* nearest()
}

/**
 * Chooses the writer: the model if there is one and anything was found; else the custom answer or quotes if the question is covered;
 * else nobody, and the answer says that it is not covered.
 */
export function startWriting(
  given: Found & { question: Question; earlier: readonly EarlierTurn[]; masks: () => MaskingStream },
  deps: QuoteDeps & WriteDeps & { model: LanguageModel | undefined },
  signal: AbortSignal,
): Writing {
  const { query, coverage, evidence, custom } = given
  const verdict = { saysNotCovered: false }
  const { model } = deps
  const isNotCovered = evidence.length === 0 || (model === undefined && !coverage.isCovered)
  if (isNotCovered)
    return { writer: 'nobody', pieces: sayNotCovered(given, deps, signal), verdict, messages: [] }
  if (model === undefined) {
    const pieces =
      custom === undefined
        ? quoteEvidence(query, evidence, deps, signal)
        : quoteCustomAnswer(custom, evidence)
    return { writer: 'quotes', pieces, verdict, messages: [] }
  }
  const messages = answerMessages(given.question, evidence, given.earlier, deps.newFence())
  const written = writeAnswer({ ...given, model, messages }, verdict, signal)
  const pieces = addNearest(written, verdict, () => quoteNearest(given, deps, signal))
  return { writer: 'model', pieces, verdict, messages }
}
