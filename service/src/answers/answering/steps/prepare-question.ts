import type { LlmColumns, WorkspaceModels } from '../../../accounts/language-models/language-models.ts'
import { redactError } from '../../../kernel/redact-error.ts'
import type { EmbedderInUse } from '../../../platform/embedding/embedder-in-use.ts'
import { withoutQueryCache, type Embedder } from '../../../platform/embedding/embedder.ts'
import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import type { Masking } from '../../pii/pii.ts'
import type { Question } from '../question.ts'

/** What a base and its workspace say about a question. */
export interface QuestionSettings {
  workspaceId: string
  masking: Masking
  /** Zero retention: nothing of the question may be stored, cached or logged. */
  zeroRetention: boolean
  llm: LlmColumns
}

/** How a question is answered, by the settings of its base and workspace. */
export interface AskContext {
  masking: Masking
  /** Zero retention: nothing of the question may be stored, cached or logged. */
  zeroRetention: boolean
  /** If undefined, the answer consists of quotes. */
  model: LanguageModel | undefined
  /** Compares sentences with the question; without it only their words are compared. */
  embedder: Embedder | undefined
  /** Reports an error to the operator that the reader need not see. */
  report: (error: unknown, activity: string) => void
}

export interface PrepareDeps extends Pick<AskContext, 'report'> {
  embedder: EmbedderInUse
  questionSettings: { from: (row: Question['settings']) => QuestionSettings }
  workspaceModels: Pick<WorkspaceModels, 'modelOf'>
  /** Keyed pseudonym of a reader's name. */
  pseudonymOf: (name: string) => string
}

/** Masks a question before anything else sees it, and sets the conditions for every other step. */
export function prepareQuestion(
  asked: Question,
  { questionSettings, workspaceModels, pseudonymOf, embedder, report }: PrepareDeps,
): { question: Question; context: AskContext } {
  const { workspaceId, masking, zeroRetention, llm } = questionSettings.from(asked.settings)
  return {
    question: maskQuestion(asked, masking, pseudonymOf),
    context: {
      masking,
      zeroRetention,
      model: workspaceModels.modelOf(workspaceId, llm),
      embedder: zeroRetention ? withoutQueryCache(embedder()) : embedder(),
      report: zeroRetention ? (error, activity) => report(redactError(error), activity) : report,
    },
  }
}

/**
 * A question without its reader's personal data. If the caller's name for the reader is personal data itself (an e-mail address), it
 * becomes a pseudonym: the reader's questions are still linked, and can still be purged by the original name.
 */
function maskQuestion(question: Question, masking: Masking, pseudonymOf: (name: string) => string): Question {
  if (!masking.isOn) return question
  const { asker } = question
  const name = asker.userRef
  // A member is named by an id of ours.
  const isNamedByClient = asker.clientKeyId !== undefined && name !== undefined
  const userRef = isNamedByClient && masking.mask(name) !== name ? pseudonymOf(name) : name
  return { ...question, query: masking.mask(question.query), asker: { ...asker, userRef } }
}
