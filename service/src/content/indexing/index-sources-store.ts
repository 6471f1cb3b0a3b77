import { sql } from 'kysely'
import type { IndexDb, NewVersion } from './indexing-store.ts'

/**
 * What a new document is to be, asked at the moment it is written: a sync may have begun before its base became internal,
 * or its source restricted.
 */
export const visibilityNow = (
  document: Pick<NewVersion, 'knowledgeBaseId' | 'sourceId' | 'visibility'>,
) => sql<'public' | 'restricted'>`(
  select case when base.type = 'internal' then 'restricted'
    else coalesce(${document.visibility ?? null}::text, source.visibility) end
  from sources source join knowledge_bases base on base.id = source.knowledge_base_id
  where source.knowledge_base_id = ${document.knowledgeBaseId} and source.id = ${document.sourceId}
  -- Waits for whoever changes them, and then reads what they have become.
  for key share)`

/** Whether the source that is written for is there, and so its base. */
export async function hasSource(
  db: IndexDb,
  { knowledgeBaseId, sourceId }: { knowledgeBaseId: string; sourceId: string },
): Promise<boolean> {
  const source = await db
    .selectFrom('sources')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', sourceId)
    .executeTakeFirst()
  return source !== undefined
}
