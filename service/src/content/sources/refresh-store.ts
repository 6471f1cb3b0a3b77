import { sql, type Expression } from 'kysely'
import type { Schedule } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type RefreshDb = Db<'sources' | 'knowledge_bases'>

/**
 * A time is due if it is in the past, or more than two intervals ahead: the clock was then set back since it was written, and would delay
 * the schedule until it is there again. (Two, so that setting the clock back some minutes does not cause an extra sync.)
 */
const isDue = (next: Expression<Date | null>, schedule: Expression<string | null>, now: Date) =>
  sql<boolean>`(${next} <= ${now} or ${next} > ${now}::timestamptz + case ${schedule}
    when 'hourly' then interval '2 hours' when 'daily' then interval '2 days'
    when 'weekly' then interval '14 days' else interval '60 days' end)`

export interface DueSource {
  knowledgeBaseId: string
  sourceId: string
}

/** Sources of active bases whose own refresh is due, and when each was due. */
export async function findDueSources(
  db: RefreshDb,
  now: Date,
): Promise<(DueSource & { refresh: Schedule | 'none' })[]> {
  return await db
    .selectFrom('sources')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'sources.knowledge_base_id')
    .select(['sources.knowledge_base_id as knowledgeBaseId', 'sources.id as sourceId', 'sources.refresh'])
    .where(({ ref }) => isDue(ref('sources.next_refresh_at'), ref('sources.refresh'), now))
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
    .where(({ ref }) => isDue(ref('next_crawl_at'), ref('scheduled_crawling'), now))
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

/** Writes when a source is due next, unless that was changed in the meantime. */
export async function setNextRefresh(
  db: RefreshDb,
  source: DueSource & { next: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('sources')
    .set({ next_refresh_at: source.next })
    .where('knowledge_base_id', '=', source.knowledgeBaseId)
    .where('id', '=', source.sourceId)
    .where(({ ref }) => isDue(ref('next_refresh_at'), ref('refresh'), source.now))
    .execute()
}

/** Makes a source due for the refresh job, whatever its refresh interval. */
export async function makeDue(db: RefreshDb, of: DueSource & { now: Date }): Promise<void> {
  await db
    .updateTable('sources')
    .set({ next_refresh_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.sourceId)
    .execute()
}

/** The same if the source was changed since then. */
export async function makeDueIfChanged(
  db: RefreshDb,
  of: DueSource & { since: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('sources')
    .set({ next_refresh_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.sourceId)
    .where('updated_at', '>', of.since)
    .execute()
}

export async function setNextCrawl(
  db: RefreshDb,
  base: { knowledgeBaseId: string; next: Date | null; now: Date },
): Promise<void> {
  await db
    .updateTable('knowledge_bases')
    .set({ next_crawl_at: base.next })
    .where('id', '=', base.knowledgeBaseId)
    .where(({ ref }) => isDue(ref('next_crawl_at'), ref('scheduled_crawling'), base.now))
    .execute()
}
