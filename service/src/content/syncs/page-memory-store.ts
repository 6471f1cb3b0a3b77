import type { PageMemory } from '../connectors/connectors.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type MemoryDb = Db<'source_pages' | 'source_progress' | 'documents' | 'held_documents'>

export interface OfSource {
  knowledgeBaseId: string
  sourceId: string
}

/**
 * What is remembered of an address. Undefined if the document made from it is missing, neither live nor held, or was made by another
 * pipeline: the connector then reads it again.
 */
export async function recallPage(
  db: MemoryDb,
  of: OfSource,
  url: string,
  pipeline: string,
): Promise<PageMemory | undefined> {
  const row = await db
    .selectFrom('source_pages')
    .leftJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'source_pages.knowledge_base_id')
        .onRef('documents.source_id', '=', 'source_pages.source_id')
        .onRef('documents.external_id', '=', 'source_pages.external_id'),
    )
    .leftJoin('held_documents as held', (join) =>
      join
        .onRef('held.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('held.document_id', '=', 'documents.id'),
    )
    .select([
      'source_pages.etag',
      'source_pages.last_modified',
      'source_pages.body_hash',
      'source_pages.external_id',
      'source_pages.state',
      'documents.live_version',
      'documents.indexed_with',
      'held.document_id as held_id',
      'held.version as held_version',
      'held.indexed_with as held_indexed_with',
    ])
    .where('source_pages.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_pages.source_id', '=', of.sourceId)
    .where('source_pages.url', '=', url)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const [version, indexedWith] =
    row.held_id === null ? [row.live_version, row.indexed_with] : [row.held_version, row.held_indexed_with]
  if (row.external_id !== null && (version === null || indexedWith !== pipeline)) return undefined
  return {
    url,
    etag: row.etag ?? undefined,
    lastModified: row.last_modified ?? undefined,
    bodyHash: row.body_hash ?? undefined,
    externalId: row.external_id ?? undefined,
    state: row.state,
  }
}

/** Whether anything is remembered of a source. */
export async function hasPages(db: MemoryDb, of: OfSource): Promise<boolean> {
  const row = await db
    .selectFrom('source_pages')
    .select('url')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Saves what is known of some addresses, each given once. */
export async function rememberPages(
  db: MemoryDb,
  of: OfSource,
  memories: readonly PageMemory[],
  now: Date,
): Promise<void> {
  await db
    .insertInto('source_pages')
    .values(
      memories.map((memory) => ({
        knowledge_base_id: of.knowledgeBaseId,
        source_id: of.sourceId,
        url: memory.url,
        etag: memory.etag ?? null,
        last_modified: memory.lastModified ?? null,
        body_hash: memory.bodyHash ?? null,
        external_id: memory.externalId ?? null,
        state: JSON.stringify(memory.state),
        updated_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['knowledge_base_id', 'source_id', 'url']).doUpdateSet((row) => ({
        etag: row.ref('excluded.etag'),
        last_modified: row.ref('excluded.last_modified'),
        body_hash: row.ref('excluded.body_hash'),
        external_id: row.ref('excluded.external_id'),
        state: row.ref('excluded.state'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute()
}

/** Deletes the entries of addresses that the source no longer has. */
export async function forgetPages(db: MemoryDb, of: OfSource, notSeenSince: Date): Promise<void> {
  await db
    .deleteFrom('source_pages')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('updated_at', '<', notSeenSince)
    .execute()
}

/** Forgets everything of a source: the next sync reads it from the beginning. */
export async function forgetSource(db: MemoryDb, of: OfSource): Promise<void> {
  for (const table of ['source_pages', 'source_progress'] as const) {
    await db
      .deleteFrom(table)
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('source_id', '=', of.sourceId)
      .execute()
  }
}
