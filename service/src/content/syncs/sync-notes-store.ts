import type { Db } from '../../platform/storage/tables.ts'

type SyncsDb = Db<'sync_errors' | 'sync_changes'>

/** An address that a sync could not read, or left out. */
export interface SyncError {
  kind: 'failed' | 'skipped'
  url: string
  reason: string
}

/** A document that a sync added, changed or removed. */
export interface SyncChange {
  kind: 'added' | 'changed' | 'removed'
  title: string
  url: string
}

/** What a sync tells of single documents, each list in the order in which it was noted. */
export interface SyncNotes {
  errors: readonly SyncError[]
  changes: readonly SyncChange[]
}

export async function listSyncErrors(
  db: SyncsDb,
  knowledgeBaseId: string,
  syncId: string,
): Promise<SyncError[]> {
  return await db
    .selectFrom('sync_errors')
    .select(['kind', 'url', 'reason'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('sync_id', '=', syncId)
    .orderBy('ordinal')
    .execute()
}

interface PartOfNotes<Kind> {
  knowledgeBaseId: string
  syncId: string
  kind: Kind | undefined
  /** Ordinal of the last one before. */
  after: number
  limit: number
}

/** A part of what a sync could not read, by ordinal. */
export async function pageOfErrors(
  db: SyncsDb,
  of: PartOfNotes<SyncError['kind']>,
): Promise<(SyncError & { ordinal: number })[]> {
  return await db
    .selectFrom('sync_errors')
    .select(['ordinal', 'kind', 'url', 'reason'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('sync_id', '=', of.syncId)
    .where('ordinal', '>', of.after)
    .$if(of.kind !== undefined, (query) => query.where('kind', '=', of.kind ?? 'failed'))
    .orderBy('ordinal')
    .limit(of.limit)
    .execute()
}

/** A part of what a sync changed, by ordinal. */
export async function pageOfChanges(
  db: SyncsDb,
  of: PartOfNotes<SyncChange['kind']>,
): Promise<(SyncChange & { ordinal: number })[]> {
  return await db
    .selectFrom('sync_changes')
    .select(['ordinal', 'kind', 'title', 'url'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('sync_id', '=', of.syncId)
    .where('ordinal', '>', of.after)
    .$if(of.kind !== undefined, (query) => query.where('kind', '=', of.kind ?? 'added'))
    .orderBy('ordinal')
    .limit(of.limit)
    .execute()
}
