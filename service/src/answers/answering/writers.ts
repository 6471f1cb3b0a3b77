import type { LanguageModel, ModelMessage } from '../../platform/llm/language-model.ts'
import type { MaskingStream } from '../pii/pii.ts'
import type { Found } from './found.ts'
import { answerMessages } from './model-prompts.ts'
import type { EarlierTurn, Question } from './question.ts'
import { quoteCustomAnswer } from './steps/find-custom-answer.ts'
import { quoteEvidence, type QuoteDeps } from './steps/quote-evidence.ts'
import { sayNotCovered } from './steps/say-not-covered.ts'
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

/**
 * Chooses the writer: the model if there is one and the gate does not rule out an answer; else the custom answer or quotes if the
 * question is covered; else nobody, and the reader is told that it is not covered.
 */
export function startWriting(
  given: Found & { question: Question; earlier: readonly EarlierTurn[]; masks: () => MaskingStream },
  deps: QuoteDeps & WriteDeps & { model: LanguageModel | undefined },
  signal: AbortSignal,
): Writing {
  const { query, coverage, evidence, passages, custom } = given
  const verdict = { saysNotCovered: false }
  const { model } = deps
  const isNotCovered =
    evidence.length === 0 || (model === undefined ? !coverage.isCovered : coverage.isHopeless)
  if (isNotCovered) return { writer: 'nobody', pieces: sayNotCovered(passages), verdict, messages: [] }
  if (model === undefined) {
    const pieces =
      custom === undefined
        ? quoteEvidence(query, evidence, deps, signal)
        : quoteCustomAnswer(custom, evidence)
    return { writer: 'quotes', pieces, verdict, messages: [] }
  }
  const messages = answerMessages(given.question, evidence, given.earlier, deps.newFence())
  const pieces = writeAnswer({ ...given, model, messages }, verdict, signal)
  return { writer: 'model', pieces, verdict, messages }
}
