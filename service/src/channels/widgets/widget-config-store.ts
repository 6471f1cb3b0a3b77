import type { Plan } from '@citewell/contract/limits'
import type { Db } from '../../platform/storage/tables.ts'

export type WidgetConfigDb = Db<'knowledge_bases' | 'workspaces' | 'widgets' | 'source_groups'>

/** The plan of the workspace of a base. */
export async function findPlanOfBase(db: WidgetConfigDb, knowledgeBaseId: string): Promise<Plan | undefined> {
  const row = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select('workspaces.plan')
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return row?.plan
}
