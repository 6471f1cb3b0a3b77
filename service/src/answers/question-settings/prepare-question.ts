import type { LlmColumns, WorkspaceModels } from '../../accounts/language-models/language-models.ts'
import type { Masking } from '../pii/pii.ts'
import type { PreparedQuestion, Question } from '../answering/answering.ts'
import { maskQuestion } from './mask-question.ts'

/** The settings of a base and its workspace that apply to every question. Read for each one, so that a change takes effect immediately. */
export interface QuestionSettings {
  workspaceId: string
  masking: Masking
  /** Zero retention: nothing of the question may be stored. */
  zeroRetention: boolean
  llm: LlmColumns
}

export interface QuestionPreparationDeps {
  questionSettings: { of(knowledgeBaseId: string): Promise<QuestionSettings> }
  workspaceModels: Pick<WorkspaceModels, 'modelOf'>
  /** Pseudonymizes the reader's id, if the base masks readers. */
  pseudonymOf: Parameters<typeof maskQuestion>[2]
}

/** Reads the settings of the base and its workspace, and masks the question by them before anything else sees it. */
export const createQuestionPreparation =
  ({ questionSettings, workspaceModels, pseudonymOf }: QuestionPreparationDeps) =>
  async (question: Question): Promise<PreparedQuestion> => {
    const { workspaceId, masking, zeroRetention, llm } = await questionSettings.of(question.knowledgeBaseId)
    return {
      question: maskQuestion(question, masking, pseudonymOf),
      masking,
      zeroRetention,
      model: workspaceModels.modelOf(workspaceId, llm),
    }
  }
