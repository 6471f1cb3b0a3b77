import { sql } from 'kysely'
import type { IndexDb } from './indexing-tables.ts'

/**
 * The visibility of a new document, read when it is written: a sync may have started before its base became internal, or its source
 * restricted.
 */
export const visibilityNow = (document: {
  knowledgeBaseId: string
  sourceId: string
  visibility: 'public' | 'restricted' | undefined
  isRestrictedAtSource?: boolean | undefined
}) => sql<'public' | 'restricted'>`(
  select case when base.type = 'internal' or ${document.isRestrictedAtSource === true}::boolean then 'restricted'
    else coalesce(${document.visibility ?? null}::text, source.visibility) end
  from knowledge_bases base join sources source on source.knowledge_base_id = base.id
  where base.id = ${document.knowledgeBaseId} and source.id = ${document.sourceId}
  -- Waits for whoever changes them, and then reads what they have become. The base first, as in lockSourceShared.
  for key share)`

const NEVER_LIVE = sql<boolean>`documents.live_version is null`

/**
 * For a row that an insert meets: one that was never live takes the visibility of the new version. Nobody has seen what was begun before, whose
 * writer may have crashed, or be overtaken by this one.
 */
export const VISIBILITY_OF_NEVER_LIVE = {
  visibility: sql<'public' | 'restricted'>`case
    when ${NEVER_LIVE} and (excluded.is_visibility_own or not documents.is_visibility_own) then excluded.visibility
    else documents.visibility end`,
  is_visibility_own: sql<boolean>`documents.is_visibility_own or (${NEVER_LIVE} and excluded.is_visibility_own)`,
  is_restricted_at_source: sql<boolean>`documents.is_restricted_at_source
    or (${NEVER_LIVE} and excluded.is_restricted_at_source)`,
}

/**
 * Locks the base and the source until the transaction ends, or finds them deleted. The order is base, source, documents, as in every
 * transaction that deletes or changes one of them, to avoid deadlocks.
 */
export async function lockSourceShared(
  transaction: IndexDb,
  { knowledgeBaseId, sourceId }: { knowledgeBaseId: string; sourceId: string },
): Promise<void> {
  await sql`with base as (select id from knowledge_bases where id = ${knowledgeBaseId} for key share)
    select from base join sources source on source.knowledge_base_id = base.id
    where source.id = ${sourceId} for key share of source`.execute(transaction)
}

/** Whether the source, and so its base, exists. */
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
