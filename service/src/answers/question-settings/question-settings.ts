import type { LlmColumns } from '../../accounts/language-models/language-models.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createMasking, type Masking } from '../pii/pii.ts'
import { findQuestionSettings, type QuestionSettingsDb } from './question-settings-store.ts'

export { createAskedSearch } from './asked-search.ts'
export { maskQuestion } from './mask-question.ts'

/** What a base and its workspace decide about every question: read anew for each, so that a change counts at once everywhere. */
export interface QuestionSettings {
  workspaceId: string
  masking: Masking
  /** Zero data retention: nothing of the question may be kept anywhere. */
  keepsNothing: boolean
  llm: LlmColumns
}

/** Compiled settings that are kept: those of the bases asked last. They hold owners' patterns, nothing of any reader. */
const KEPT = 200

export function createQuestionSettings({ db }: { db: QuestionSettingsDb }) {
  const compiled = new Map<string, Masking>()

  function maskingOf(settings: Parameters<typeof createMasking>[0]): Masking {
    const key = JSON.stringify(settings)
    const known = compiled.get(key) ?? createMasking(settings)
    compiled.delete(key)
    compiled.set(key, known)
    const [oldest] = compiled.keys()
    if (compiled.size > KEPT && oldest !== undefined) compiled.delete(oldest)
    return known
  }

  /** @throws Refusal NOT_FOUND for a base that is gone */
  async function of(knowledgeBaseId: string): Promise<QuestionSettings> {
    const row = await findQuestionSettings(db, knowledgeBaseId)
    if (row === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    const { workspace_id: workspaceId, pii_masking: pii, zero_data_retention: keepsNothing, ...llm } = row
    return { workspaceId, masking: maskingOf(pii), keepsNothing, llm }
  }

  /** A text of a reader as the base wants it kept. */
  async function mask(knowledgeBaseId: string, text: string): Promise<string> {
    const { masking } = await of(knowledgeBaseId)
    return masking.mask(text)
  }

  return { of, mask }
}

export type QuestionSettingsReader = ReturnType<typeof createQuestionSettings>
