import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import type { Masking } from '../../pii/pii.ts'
import type { EarlierTurn, Question } from '../question.ts'

/** A question as it may be processed: masked, with the model that will answer it. */
export interface PreparedQuestion {
  question: Question
  masking: Masking
  /** If undefined, the answer consists of quotes. */
  model: LanguageModel | undefined
  /** Zero retention: nothing of the question may be stored or logged. */
  zeroRetention: boolean
}

export interface PrepareDeps {
  prepare: (question: Question) => Promise<PreparedQuestion>
}

/** Masks earlier turns by the current settings: they may be older than the settings, or sent by the client. */
export function maskTurns(turns: readonly EarlierTurn[], masking: Masking): readonly EarlierTurn[] {
  if (!masking.isOn) return turns
  return turns.map(({ query, answer, citedTitles, ...turn }) => ({
    ...turn,
    query: masking.mask(query),
    answer: masking.maskAnswer(answer, citedTitles),
    citedTitles,
  }))
}
