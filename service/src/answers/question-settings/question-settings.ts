import type { QuestionSettingsRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createMasking, type Masking } from '../pii/pii.ts'
import type { QuestionSettings } from '../answering/answering.ts'
import { findQuestionSettings, type QuestionSettingsDb } from './question-settings-store.ts'

export { createPrivateSearch, type PrivateSearch } from './private-search.ts'

/** Maximum of cached compiled settings (least recently used are dropped). They contain owners' patterns, and no data of readers. */
const MAX_CACHED = 200

export function createQuestionSettings({ db }: { db: QuestionSettingsDb }) {
  const compiled = new Map<string, Masking>()

  function maskingOf(settings: Parameters<typeof createMasking>[0]): Masking {
    const key = JSON.stringify(settings)
    const known = compiled.get(key) ?? createMasking(settings)
    compiled.delete(key)
    compiled.set(key, known)
    const [oldest] = compiled.keys()
    if (compiled.size > MAX_CACHED && oldest !== undefined) compiled.delete(oldest)
    return known
  }

  /** @throws Refusal NOT_FOUND for a base that was deleted */
  async function of(knowledgeBaseId: string): Promise<QuestionSettings> {
    const row = await findQuestionSettings(db, knowledgeBaseId)
    if (row === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    return from(row)
  }

  /** Of a row that was read together with the base. */
  function from({
    workspace_id: workspaceId,
    pii_masking: pii,
    zero_data_retention: zeroRetention,
    llm_base_url,
    llm_model,
    llm_sealed_api_key,
    llm_api_key_end,
  }: QuestionSettingsRow): QuestionSettings {
    const llm = { llm_base_url, llm_model, llm_sealed_api_key, llm_api_key_end }
    return { workspaceId, masking: maskingOf(pii), zeroRetention, llm }
  }

  /** Masks a reader's text by the settings of the base. */
  async function mask(knowledgeBaseId: string, text: string): Promise<string> {
    const { masking } = await of(knowledgeBaseId)
    return masking.mask(text)
  }

  return { of, from, mask }
}

export type QuestionSettingsReader = ReturnType<typeof createQuestionSettings>
