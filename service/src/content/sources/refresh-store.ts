import type { Schedule } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type RefreshDb = Db<'sources' | 'knowledge_bases'>

export interface DueSource {
  knowledgeBaseId: string
  sourceId: string
}

/** Sources whose own refresh is due, of bases that are not archived, and when each was due. */
export async function findDueSources(
  db: RefreshDb,
  now: Date,
): Promise<(DueSource & { refresh: Schedule | 'none' })[]> {
  return await db
    .selectFrom('sources')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'sources.knowledge_base_id')
    .select(['sources.knowledge_base_id as knowledgeBaseId', 'sources.id as sourceId', 'sources.refresh'])
    .where('sources.next_refresh_at', '<=', now)
    .where('knowledge_bases.status', '=', 'active')
    .execute()
}

/** Bases whose scheduled crawling is due. */
export async function findDueBases(
  db: RefreshDb,
  now: Date,
): Promise<{ knowledgeBaseId: string; schedule: Schedule | null }[]> {
  return await db
    .selectFrom('knowledge_bases')
    .select(['id as knowledgeBaseId', 'scheduled_crawling as schedule'])
    .where('next_crawl_at', '<=', now)
    .where('status', '=', 'active')
    .execute()
}

export async function listSourceTypes(
  db: RefreshDb,
  knowledgeBaseId: string,
): Promise<{ sourceId: string; type: string }[]> {
  return await db
    .selectFrom('sources')
    .select(['id as sourceId', 'type'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .execute()
}

/** Writes when a source is due next; one that was changed meanwhile keeps what it was changed to. */
export async function moveNextRefresh(
  db: RefreshDb,
  source: DueSource & { next: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('sources')
    .set({ next_refresh_at: source.next })
    .where('knowledge_base_id', '=', source.knowledgeBaseId)
    .where('id', '=', source.sourceId)
    .where('next_refresh_at', '<=', source.now)
    .execute()
}

export async function moveNextCrawl(
  db: RefreshDb,
  base: { knowledgeBaseId: string; next: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('knowledge_bases')
    .set({ next_crawl_at: base.next })
    .where('id', '=', base.knowledgeBaseId)
    .where('next_crawl_at', '<=', base.now)
    .execute()
}
