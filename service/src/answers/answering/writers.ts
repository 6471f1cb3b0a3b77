import type { LanguageModel } from '../../platform/llm/language-model.ts'
import type { Found } from './answer-turn.ts'
import type { EarlierTurn, Question } from './question.ts'
import { quoteEvidence, type QuoteDeps } from './steps/quote-evidence.ts'
import { sayNotCovered } from './steps/say-not-covered.ts'
import { writeAnswer, type WriteDeps } from './steps/write-answer.ts'

/** An answer in the making. */
export interface Writing {
  /** Quotes are right by themselves, a model's words are not, and nobody has to vouch for "not covered". */
  writer: 'model' | 'quotes' | 'nobody'
  pieces: AsyncGenerator<string, void, void>
  /** Set by a writer that finds, once it reads it, that the evidence has no answer. */
  verdict: { saysNotCovered: boolean }
}

/**
 * Chooses who answers: the model where there is one and any hope, else quotes where the question is covered, else
 * nobody, and the reader is told.
 */
export function startWriting(
  given: Found & { question: Question; earlier: readonly EarlierTurn[] },
  deps: QuoteDeps & WriteDeps & { model: LanguageModel | undefined },
  signal: AbortSignal,
): Writing {
  const { query, coverage, evidence, passages } = given
  const verdict = { saysNotCovered: false }
  const { model } = deps
  const isHopeless =
    evidence.length === 0 || (model === undefined ? !coverage.isCovered : coverage.isHopeless)
  if (isHopeless) return { writer: 'nobody', pieces: sayNotCovered(passages), verdict }
  if (model === undefined)
    return { writer: 'quotes', pieces: quoteEvidence(query, evidence, deps, signal), verdict }
  return { writer: 'model', pieces: writeAnswer({ ...given, model }, verdict, deps, signal), verdict }
}
