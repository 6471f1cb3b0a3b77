import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import type { Masking } from '../../pii/pii.ts'
import type { EarlierTurn, Question } from '../question.ts'

/** A question as it may be worked on: masked, with the model that is to answer it. */
export interface PreparedQuestion {
  question: Question
  masking: Masking
  /** Without it answers are quotes. */
  model: LanguageModel | undefined
  /** Zero data retention: nothing of the question may be kept anywhere, nor told to the log. */
  keepsNothing: boolean
}

export interface PrepareDeps {
  /** Reads what the base and its workspace decide, and masks the question by it, before anybody else sees it. */
  prepare: (question: Question) => Promise<PreparedQuestion>
}

/** Earlier turns as this base masks now: they may be older than its settings, or told by the client. */
export function maskTurns(turns: readonly EarlierTurn[], masking: Masking): readonly EarlierTurn[] {
  if (!masking.isOn) return turns
  return turns.map(({ query, answer, citedTitles, ...turn }) => ({
    ...turn,
    query: masking.mask(query),
    answer: masking.maskAnswer(answer, citedTitles),
    citedTitles,
  }))
}
