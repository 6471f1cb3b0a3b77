import type { Db } from '../../platform/storage/tables.ts'

export type QuestionSettingsDb = Db<'knowledge_bases' | 'workspaces'>

/** The settings of a base and its workspace that apply to a question; undefined for a base that was deleted. */
export async function findQuestionSettings(db: QuestionSettingsDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select([
      'knowledge_bases.workspace_id',
      'knowledge_bases.pii_masking',
      'workspaces.zero_data_retention',
      'workspaces.llm_base_url',
      'workspaces.llm_model',
      'workspaces.llm_sealed_api_key',
      'workspaces.llm_api_key_end',
    ])
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
}
