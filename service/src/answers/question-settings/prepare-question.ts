import type { WorkspaceModels } from '../../accounts/language-models/language-models.ts'
import type { PreparedQuestion, Question, QuestionSettings } from '../answering/answering.ts'
import { maskQuestion } from './mask-question.ts'

export interface QuestionPreparationDeps {
  questionSettings: { of(knowledgeBaseId: string): Promise<QuestionSettings> }
  workspaceModels: Pick<WorkspaceModels, 'modelOf'>
  /** Pseudonymizes the reader's id, if the base masks readers. */
  pseudonymOf: Parameters<typeof maskQuestion>[2]
}

/** Reads the settings of the base and its workspace, and masks the question by them before anything else sees it. */
export const createQuestionPreparation =
  ({ questionSettings, workspaceModels, pseudonymOf }: QuestionPreparationDeps) =>
  async ({ settings, ...question }: Question): Promise<PreparedQuestion> => {
    const { workspaceId, masking, zeroRetention, llm } =
      settings ?? (await questionSettings.of(question.knowledgeBaseId))
    return {
      question: maskQuestion(question, masking, pseudonymOf),
      masking,
      zeroRetention,
      model: workspaceModels.modelOf(workspaceId, llm),
    }
  }
