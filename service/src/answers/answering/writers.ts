import type { LanguageModel, ModelMessage } from '../../platform/llm/language-model.ts'
import type { MaskingStream } from '../pii/pii.ts'
import type { Found } from './found.ts'
import { answerMessages } from './model-prompts.ts'
import type { EarlierTurn, Question } from './question.ts'
import { giveCustomAnswer } from './steps/find-custom-answer.ts'
import { quoteEvidence, type QuoteDeps } from './steps/quote-evidence.ts'
import { sayNotCovered } from './steps/say-not-covered.ts'
import { writeAnswer } from './steps/write-answer.ts'

export interface WriteDeps {
  /** Something that no page can contain: new for each question. */
  newFence: () => string
}

/** An answer in the making. */
export interface Writing {
  /** Quotes are right by themselves, a model's words are not, and nobody has to vouch for "not covered". */
  writer: 'model' | 'quotes' | 'nobody'
  pieces: AsyncGenerator<string, void, void>
  /** Set by a writer that finds, once it reads it, that the evidence has no answer. */
  verdict: { saysNotCovered: boolean }
  /** What the model is sent; empty where none is asked. */
  messages: ModelMessage[]
}

/**
 * Chooses who answers: the model where there is one and any hope, else the owner's own answer or quotes where the question is
 * covered, else nobody, and the reader is told.
 */
export function startWriting(
  given: Found & { question: Question; earlier: readonly EarlierTurn[]; masks: () => MaskingStream },
  deps: QuoteDeps & WriteDeps & { model: LanguageModel | undefined },
  signal: AbortSignal,
): Writing {
  const { query, coverage, evidence, passages, custom } = given
  const verdict = { saysNotCovered: false }
  const { model } = deps
  const isHopeless =
    evidence.length === 0 || (model === undefined ? !coverage.isCovered : coverage.isHopeless)
  if (isHopeless) return { writer: 'nobody', pieces: sayNotCovered(passages), verdict, messages: [] }
  if (model === undefined) {
    const pieces =
      custom === undefined ? quoteEvidence(query, evidence, deps, signal) : giveCustomAnswer(custom, evidence)
    return { writer: 'quotes', pieces, verdict, messages: [] }
  }
  const messages = answerMessages(given.question, evidence, given.earlier, deps.newFence())
  const pieces = writeAnswer({ ...given, model, messages }, verdict, signal)
  return { writer: 'model', pieces, verdict, messages }
}
