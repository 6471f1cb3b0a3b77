import type { ModelMessage } from '../../platform/llm/language-model.ts'
import type { Coverage } from './coverage-gate.ts'
import type { Found } from './found.ts'
import { answerMessages } from './model-prompts.ts'
import { textsOf } from './public-texts.ts'
import { ownSentences, type OwnSentences } from './own-sentences.ts'
import { languageOfQuestion } from './question-language.ts'
import type { EarlierTurn, Question } from './question.ts'
import { quoteCustomAnswer } from './steps/find-custom-answer.ts'
import type { AskContext } from './steps/prepare-question.ts'
import { quoteEvidence } from './steps/quote-evidence.ts'
import { quoteNearest, sayNotCovered } from './steps/say-not-covered.ts'
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
  /** What the service itself says, in the language of the question. */
  sentences: OwnSentences
  /** The messages for the model; empty if none is called. */
  messages: ModelMessage[]
  coverage: Coverage
  /** Texts whose personal data the answer may repeat. */
  publicTexts: readonly string[]
}

/**
 * Chooses the writer: the model if there is one and anything was found; else the custom answer or quotes if the question is covered;
 * else nobody, and the answer says that it is not covered.
 */
export function startWriting(
  given: Found & { question: Question; earlier: readonly EarlierTurn[] },
  deps: WriteDeps & Pick<AskContext, 'model' | 'embedder' | 'masking'>,
  signal: AbortSignal,
): Writing {
  const { coverage, evidence, custom } = given
  const verdict = { saysNotCovered: false }
  const { query: asked, acceptLanguage, language } = given.question
  const sentences = ownSentences(
    languageOfQuestion(asked, {
      acceptLanguage,
      base: language,
      earlier: given.earlier.map(({ query }) => query),
    }),
  )
  const { model, masking } = deps
  const publicTexts = textsOf(given.question, evidence)
  const common = { verdict, sentences, coverage, publicTexts }
  const isNotCovered = evidence.length === 0 || (model === undefined && !coverage.isCovered)
  if (isNotCovered)
    return {
      ...common,
      writer: 'nobody',
      pieces: sayNotCovered(given, deps, sentences, signal),
      messages: [],
    }
  if (model === undefined) {
    const pieces =
      custom === undefined
        ? quoteEvidence(given, deps, sentences, signal)
        : quoteCustomAnswer(custom, evidence)
    return { ...common, writer: 'quotes', pieces, messages: [] }
  }
  const messages = answerMessages(given.question, evidence, given.earlier, deps.newFence())
  const { notCovered } = sentences
  const near = { query: given.query, evidence, coverage, compared: given.compared }
  const nearest = () => quoteNearest(near, deps, sentences, signal)
  const pieces = writeAnswer(
    { evidence, model, messages, masking, publicTexts, notCovered, nearest },
    verdict,
    signal,
  )
  return { ...common, writer: 'model', pieces, messages }
}
