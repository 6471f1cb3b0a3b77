import type { Selectable } from 'kysely'
import type { KnowledgeBasesTable } from './knowledge-bases-table.ts'
import type { Tables } from '../../platform/storage/tables.ts'

/** What a base and its workspace say about every question: masking, retention and the language model. */
export type QuestionSettingsRow = Pick<Selectable<KnowledgeBasesTable>, 'workspace_id' | 'pii_masking'> &
  Pick<
    Selectable<Tables['workspaces']>,
    'zero_data_retention' | 'llm_base_url' | 'llm_model' | 'llm_sealed_api_key' | 'llm_api_key_end'
  >

/** The columns of `QuestionSettingsRow`, of `knowledge_bases` joined with `workspaces`. */
export const QUESTION_COLUMNS = [
  'knowledge_bases.workspace_id',
  'knowledge_bases.pii_masking',
  'workspaces.zero_data_retention',
  'workspaces.llm_base_url',
  'workspaces.llm_model',
  'workspaces.llm_sealed_api_key',
  'workspaces.llm_api_key_end',
] as const
