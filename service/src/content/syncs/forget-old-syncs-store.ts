import { sql } from 'kysely'
import type { SyncsDb } from './syncs-db.ts'

/** Syncs of a source whose changes and errors are kept, the latest ones. */
const SYNCS_WITH_NOTES = 100

/** Syncs of a source that are kept: hourly ones of six weeks, daily ones of years. */
const KEPT_SYNCS = 1_000

/** Each sync that ends makes one more too old: this bounds the statements that delete, and catches up. */
const FORGOTTEN_AT_ONCE = 100

/** Whether a source has more syncs than keep their notes; fewer than that are all kept. */
async function hasOldSyncs(db: SyncsDb, knowledgeBaseId: string, sourceId: string): Promise<boolean> {
  const old = await db
    .selectFrom('syncs')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('source_id', '=', sourceId)
    .offset(SYNCS_WITH_NOTES)
    .limit(1)
    .executeTakeFirst()
  return old !== undefined
}

/** Deletes the changes and errors of syncs of a source that are older than its last `SYNCS_WITH_NOTES`. */
async function deleteOldNotes(db: SyncsDb, knowledgeBaseId: string, sourceId: string): Promise<void> {
  for (const table of ['sync_changes', 'sync_errors'] as const) {
    await db
      .deleteFrom(table)
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('sync_id', 'in', (query) =>
        query
          .selectFrom('syncs')
          .select('id')
          .where('knowledge_base_id', '=', knowledgeBaseId)
          .where('source_id', '=', sourceId)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(SYNCS_WITH_NOTES)
          .limit(FORGOTTEN_AT_ONCE),
      )
      .execute()
  }
}

/**
 * Deletes the syncs of a source before its last `KEPT_SYNCS`. Its last one that read anything stays, however many have failed since, and so
 * does one whose documents are held back.
 */
async function deleteOldSyncs(db: SyncsDb, knowledgeBaseId: string, sourceId: string): Promise<void> {
  await sql`
    delete from syncs where knowledge_base_id = ${knowledgeBaseId} and id in (
      select id from syncs where knowledge_base_id = ${knowledgeBaseId} and source_id = ${sourceId}
      order by created_at desc, id desc offset ${KEPT_SYNCS}::integer limit ${FORGOTTEN_AT_ONCE}::integer
    )
    and finished_at is not null and coalesce(hold_status, '') not in ('open', 'waiting')
    and id is distinct from (
      select id from syncs
      where knowledge_base_id = ${knowledgeBaseId} and source_id = ${sourceId} and status in ('succeeded', 'partial')
      order by created_at desc, id desc limit 1
    )`.execute(db)
}

/** Deletes what is no longer kept of a source whose sync ends. */
export async function forgetOldSyncs(db: SyncsDb, knowledgeBaseId: string, sourceId: string): Promise<void> {
  // Most sources have none: one statement instead of three.
  if (!(await hasOldSyncs(db, knowledgeBaseId, sourceId))) return
  await deleteOldNotes(db, knowledgeBaseId, sourceId)
  await deleteOldSyncs(db, knowledgeBaseId, sourceId)
}
