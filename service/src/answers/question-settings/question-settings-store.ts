import { QUESTION_COLUMNS } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type QuestionSettingsDb = Db<'knowledge_bases' | 'workspaces'>

/** The settings of a base and its workspace that apply to a question; undefined for a base that was deleted. */
export async function findQuestionSettings(db: QuestionSettingsDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select(QUESTION_COLUMNS)
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
}
