import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { sql, type Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import type { SourcesTable } from './sources-tables.ts'
import { INDEX_TABLES } from '../indexing/indexing.ts'
import { selectSyncs, type SyncRow } from '../syncs/syncs.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type SourcesDb = Db<
  | 'sources'
  | 'source_groups'
  | 'source_files'
  | 'source_pages'
  | 'syncs'
  | 'documents'
  | 'chunks'
  | 'chunk_vectors'
  | 'page_words'
  | 'knowledge_bases'
>

export type SourceRow = Selectable<SourcesTable>

export async function insertSource(db: SourcesDb, source: SourceRow): Promise<void> {
  await db
    .insertInto('sources')
    .values({ ...source, config: JSON.stringify(source.config) })
    .execute()
}

/** A source with its number of live documents. */
export interface CountedSource extends SourceRow {
  document_count: number
  /** The sync that waits until somebody decides. */
  held_sync_id: string | null
  /** By its own schedule or that of its base, whichever comes first; null: none, or the base is archived. */
  next_sync_at: Date | null
}

const selectCounted = (db: SourcesDb, knowledgeBaseId: string) =>
  db
    .selectFrom('sources')
    .selectAll('sources')
    .select((row) =>
      row
        .selectFrom('documents')
        .select((document) => document.fn.countAll<string>().as('count'))
        .whereRef('documents.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .whereRef('documents.source_id', '=', 'sources.id')
        .where('documents.live_version', 'is not', null)
        .as('document_count'),
    )
    .select((row) =>
      row
        .selectFrom('syncs')
        .select('syncs.id')
        .whereRef('syncs.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .whereRef('syncs.source_id', '=', 'sources.id')
        .where('syncs.hold_status', '=', 'waiting')
        .as('held_sync_id'),
    )
    .select((row) =>
      row
        .selectFrom('knowledge_bases')
        .select((base) =>
          base
            .fn<Date | null>('least', ['sources.next_refresh_at', 'knowledge_bases.next_crawl_at'])
            .as('next'),
        )
        .whereRef('knowledge_bases.id', '=', 'sources.knowledge_base_id')
        .where('knowledge_bases.status', '=', 'active')
        .as('next_sync_at'),
    )
    .where('sources.knowledge_base_id', '=', knowledgeBaseId)

const counted = (
  row: Omit<CountedSource, 'document_count'> & { document_count: string | null },
): CountedSource => ({ ...row, document_count: Number(row.document_count) })

export async function findSource(
  db: SourcesDb,
  knowledgeBaseId: string,
  sourceId: string,
): Promise<CountedSource | undefined> {
  const row = await selectCounted(db, knowledgeBaseId).where('sources.id', '=', sourceId).executeTakeFirst()
  return row && counted(row)
}

export async function listSources(
  db: SourcesDb,
  of: PageRequest & { knowledgeBaseId: string; type?: string | undefined },
): Promise<CountedSource[]> {
  const rows = await selectCounted(db, of.knowledgeBaseId)
    .$if(of.type !== undefined, (query) => query.where('sources.type', '=', of.type ?? ''))
    .$if(of.after !== undefined, (query) => query.where('sources.id', '>', of.after ?? ''))
    .orderBy('sources.id')
    .limit(of.limit)
    .execute()
  return rows.map(counted)
}

/** The sources of a base that are read, oldest first: those to which documents are pushed are not. */
export async function listSourcesToRead(
  db: SourcesDb,
  knowledgeBaseId: string,
): Promise<Pick<SourceRow, 'id' | 'type' | 'config'>[]> {
  return await db
    .selectFrom('sources')
    .select(['id', 'type', 'config'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('type', 'not in', [...WRITTEN_SOURCE_TYPES])
    .orderBy('id')
    .execute()
}

/** Locks a source against other changes until the transaction ends; no document can be added to it meanwhile. */
export async function lockSource(
  transaction: SourcesDb,
  knowledgeBaseId: string,
  sourceId: string,
): Promise<SourceRow | undefined> {
  return await transaction
    .selectFrom('sources')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', sourceId)
    .forUpdate()
    .executeTakeFirst()
}

/** Updates the row of a source. */
export async function updateSource(transaction: SourcesDb, source: SourceRow): Promise<void> {
  const { knowledge_base_id: knowledgeBaseId, id, config, ...plain } = source
  await transaction
    .updateTable('sources')
    .set({ ...plain, config: JSON.stringify(config) })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}

/**
 * Gives the documents of a source the visibility that the source now has, except for those with a visibility of their own. Returns those
 * that changed.
 */
export async function setDocumentsVisibility(
  transaction: SourcesDb,
  of: { knowledgeBaseId: string; sourceId: string; visibility: SourceRow['visibility']; now: Date },
): Promise<string[]> {
  const rows = await transaction
    .updateTable('documents')
    .set({ visibility: of.visibility, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('visibility', '<>', of.visibility)
    .where('is_visibility_own', '=', false)
    // What the source itself restricts stays restricted.
    .$if(of.visibility === 'public', (query) => query.where('is_restricted_at_source', '=', false))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Deletes a source and everything made from it, in one transaction. A worker that is reading it finds its sync gone. Documents are deleted
 * before their passages: a worker about to publish a document then finds its row gone and discards what it wrote.
 */
export async function deleteSource(db: SourcesDb, knowledgeBaseId: string, sourceId: string): Promise<void> {
  await db.transaction().execute(async (transaction: SourcesDb) => {
    if ((await lockSource(transaction, knowledgeBaseId, sourceId)) === undefined) return
    const documents = await transaction
      .deleteFrom('documents')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('source_id', '=', sourceId)
      .returning('id')
      .execute()
    const ids = documents.map((document) => document.id)
    for (const table of INDEX_TABLES) {
      await transaction
        .deleteFrom(table)
        .where('knowledge_base_id', '=', knowledgeBaseId)
        // One array parameter: a large source has more documents than a statement can take parameters.
        .where('document_id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute()
    }
    await transaction
      .deleteFrom('sources')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', sourceId)
      .execute()
  })
}

/** What a sync needs to know of a source and of its base. */
export interface SourceWithBase {
  id: string
  type: string
  config: Record<string, unknown>
  sealed_credentials: string | null
  connection_id: string | null
  visibility: SourcesTable['visibility']
  base_type: Tables['knowledge_bases']['type']
  base_status: Tables['knowledge_bases']['status']
  workspace_id: string
  language: string | null
  respect_robots_txt: boolean
}

export async function findSourceWithBase(
  db: SourcesDb,
  knowledgeBaseId: string,
  sourceId: string,
): Promise<SourceWithBase | undefined> {
  return await db
    .selectFrom('sources')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'sources.knowledge_base_id')
    .select([
      'sources.id',
      'sources.type',
      'sources.config',
      'sources.sealed_credentials',
      'sources.connection_id',
      'sources.visibility',
      'knowledge_bases.type as base_type',
      'knowledge_bases.status as base_status',
      'knowledge_bases.workspace_id',
      'knowledge_bases.language',
      'knowledge_bases.respect_robots_txt',
    ])
    .where('sources.knowledge_base_id', '=', knowledgeBaseId)
    .where('sources.id', '=', sourceId)
    .executeTakeFirst()
}

/** The last sync of each of these sources, by source id. */
export async function findLastSyncs(
  db: SourcesDb,
  knowledgeBaseId: string,
  sourceIds: readonly string[],
): Promise<Map<string, SyncRow>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await selectSyncs(db)
    .distinctOn('source_id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('source_id', 'in', sourceIds)
    .orderBy('source_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.source_id, row]))
}
