import type { QuestionSettingsRow } from '../src/accounts/knowledge-bases/knowledge-bases.ts'

/** Of a base and a workspace that set nothing: no masking, no zero retention, no language model. */
export const NO_QUESTION_SETTINGS: QuestionSettingsRow = {
  workspace_id: 'workspace',
  pii_masking: { mask: [], custom_patterns: [], allow_list: [] },
  zero_data_retention: false,
  llm_base_url: null,
  llm_model: null,
  llm_sealed_api_key: null,
  llm_api_key_end: null,
}
