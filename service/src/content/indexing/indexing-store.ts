import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { vectorOfText, vectorText } from '../../platform/storage/vector-text.ts'

export type IndexDb = Db<
  'documents' | 'chunks' | 'chunk_vectors' | 'source_pages' | 'sources' | 'knowledge_bases'
>

export interface ChunkRow {
  id: string
  ordinal: number
  headingPath: string[]
  anchor: string | undefined
  text: string
  terms: string
  embeddedHash: string
  vector: Float32Array | undefined
}

/** Rows of one insert: enough to save round trips, few enough to let other statements of the session pass between. */
const ROWS_PER_INSERT = 50

const hexOf = (knowledgeBaseId: string) => knowledgeBaseId.replaceAll('-', '')

/** Makes the base's own partitions, and the vector index of this embedding key, where they are missing. */
export async function ensurePartitions(
  db: IndexDb,
  knowledgeBaseId: string,
  embedding: { key: string; dimensions: number } | undefined,
): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  await db.transaction().execute(async (transaction) => {
    // Two processes that index the same base for the first time would otherwise both create them.
    await sql`select pg_advisory_xact_lock(7233491, hashtext(${hex}))`.execute(transaction)
    for (const table of ['chunks', 'chunk_vectors']) {
      await sql`create table if not exists ${sql.table(`${table}_${hex}`)} partition of ${sql.table(table)}
        for values in (${sql.lit(knowledgeBaseId)})`.execute(transaction)
    }
    if (embedding === undefined) return
    const keyHash = await sql<{ hash: string }>`select left(md5(${embedding.key}), 8) as hash`.execute(
      transaction,
    )
    const index = `hnsw_${hex}_${keyHash.rows[0]?.hash ?? ''}`
    await sql`create index if not exists ${sql.ref(index)} on ${sql.table(`chunk_vectors_${hex}`)}
      using hnsw ((embedding::vector(${sql.lit(embedding.dimensions)})) vector_cosine_ops)
      where embedding_key = ${sql.lit(embedding.key)}`.execute(transaction)
  })
}

export interface IndexedDocument {
  id: string
  liveVersion: number | undefined
  contentHash: string | null
  indexedWith: string | null
}

export async function findIndexed(
  db: IndexDb,
  of: { knowledgeBaseId: string; sourceId: string; externalId: string },
): Promise<IndexedDocument | undefined> {
  const row = await db
    .selectFrom('documents')
    .select(['id', 'live_version', 'content_hash', 'indexed_with'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('external_id', '=', of.externalId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      liveVersion: row.live_version ?? undefined,
      contentHash: row.content_hash,
      indexedWith: row.indexed_with,
    }
  )
}

export interface NewVersion {
  knowledgeBaseId: string
  sourceId: string
  externalId: string
  newId: string
  url: string
  title: string
  language: string | undefined
  /** Of a document seen for the first time, where its sender says so; a known one keeps its own. */
  visibility: 'public' | 'restricted' | undefined
  now: Date
}

/**
 * What a new document is to be, asked at the moment it is written: a sync may have begun before its base became internal,
 * or its source restricted.
 */
const visibilityNow = (document: NewVersion) => sql<'public' | 'restricted'>`(
  select case when base.type = 'internal' then 'restricted'
    else coalesce(${document.visibility ?? null}::text, source.visibility) end
  from sources source join knowledge_bases base on base.id = source.knowledge_base_id
  where source.knowledge_base_id = ${document.knowledgeBaseId} and source.id = ${document.sourceId})`

/** Takes the next version number of the document, making its row if it is new. No two writers get the same number. */
export async function beginVersion(
  db: IndexDb,
  document: NewVersion,
): Promise<{ id: string; version: number }> {
  const row = await db
    .insertInto('documents')
    .values({
      knowledge_base_id: document.knowledgeBaseId,
      id: document.newId,
      source_id: document.sourceId,
      external_id: document.externalId,
      url: document.url,
      title: document.title,
      language: document.language ?? null,
      visibility: visibilityNow(document),
      live_version: null,
      latest_version: 1,
      content_hash: null,
      indexed_with: null,
      source_modified_at: null,
      indexed_at: null,
      created_at: document.now,
      updated_at: document.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['knowledge_base_id', 'source_id', 'external_id']).doUpdateSet((row) => ({
        latest_version: sql<number>`${row.ref('documents.latest_version')} + 1`,
      })),
    )
    .returning(['id', 'latest_version'])
    .executeTakeFirstOrThrow()
  return { id: row.id, version: row.latest_version }
}

/** Vectors of the live version by the hash of what was embedded, for passages that have not changed. */
export async function liveVectors(
  db: IndexDb,
  of: { knowledgeBaseId: string; documentId: string; version: number; embeddingKey: string },
): Promise<Map<string, Float32Array>> {
  const rows = await db
    .selectFrom('chunks')
    .innerJoin('chunk_vectors', (join) =>
      join
        .onRef('chunk_vectors.knowledge_base_id', '=', 'chunks.knowledge_base_id')
        .onRef('chunk_vectors.chunk_id', '=', 'chunks.id'),
    )
    .select(['chunks.embedded_hash', sql<string>`chunk_vectors.embedding::text`.as('embedding')])
    .where('chunks.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('chunks.document_id', '=', of.documentId)
    .where('chunks.version', '=', of.version)
    .where('chunk_vectors.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('chunk_vectors.embedding_key', '=', of.embeddingKey)
    .execute()
  return new Map(rows.map((row) => [row.embedded_hash, vectorOfText(row.embedding)]))
}

/** Writes the chunks of a version that nobody sees yet. */
export async function writeChunks(
  db: IndexDb,
  to: { knowledgeBaseId: string; documentId: string; version: number; embeddingKey: string | undefined },
  rows: readonly ChunkRow[],
): Promise<void> {
  const place = { knowledge_base_id: to.knowledgeBaseId, document_id: to.documentId, version: to.version }
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const batch = rows.slice(start, start + ROWS_PER_INSERT)
    await db
      .insertInto('chunks')
      .values(
        batch.map((row) => ({
          ...place,
          id: row.id,
          ordinal: row.ordinal,
          heading_path: row.headingPath,
          anchor: row.anchor ?? null,
          text: row.text,
          terms: row.terms,
          embedded_hash: row.embeddedHash,
        })),
      )
      .execute()
    const vectors = batch.flatMap((row) =>
      row.vector === undefined || to.embeddingKey === undefined
        ? []
        : [{ ...place, chunk_id: row.id, embedding_key: to.embeddingKey, embedding: vectorText(row.vector) }],
    )
    if (vectors.length > 0) await db.insertInto('chunk_vectors').values(vectors).execute()
  }
}

export interface Publication {
  knowledgeBaseId: string
  documentId: string
  version: number
  url: string
  title: string
  language: string | undefined
  chunkCount: number
  contentHash: string
  indexedWith: string
  sourceModifiedAt: Date | undefined
  now: Date
}

/**
 * Makes the version the one that readers see, in one statement, and drops every other. False when the document was
 * deleted meanwhile, or when a newer version was begun: then nothing is shown of this one.
 */
export async function publishVersion(
  db: IndexDb,
  published: Publication,
  alsoInTransaction: (transaction: IndexDb) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const flipped = await transaction
      .updateTable('documents')
      .set({
        live_version: published.version,
        url: published.url,
        title: published.title,
        language: published.language ?? null,
        chunk_count: published.chunkCount,
        content_hash: published.contentHash,
        indexed_with: published.indexedWith,
        source_modified_at: published.sourceModifiedAt ?? null,
        indexed_at: published.now,
        updated_at: published.now,
      })
      .where('knowledge_base_id', '=', published.knowledgeBaseId)
      .where('id', '=', published.documentId)
      .where('latest_version', '=', published.version)
      .executeTakeFirst()
    const isLive = flipped.numUpdatedRows > 0n
    for (const table of ['chunk_vectors', 'chunks'] as const) {
      await transaction
        .deleteFrom(table)
        .where('knowledge_base_id', '=', published.knowledgeBaseId)
        .where('document_id', '=', published.documentId)
        .where('version', isLive ? '<>' : '=', published.version)
        .execute()
    }
    if (isLive) await alsoInTransaction(transaction)
    return isLive
  })
}

/** Removes documents with everything that was made of them, at once. */
export async function removeDocuments(
  db: IndexDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return
  // One parameter, however many ids: a statement has room for 65,535.
  const anyOf = sql<string>`any(${[...documentIds]}::uuid[])`
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('documents')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', anyOf)
      .execute()
    for (const table of ['chunk_vectors', 'chunks'] as const) {
      await transaction
        .deleteFrom(table)
        .where('knowledge_base_id', '=', knowledgeBaseId)
        .where('document_id', '=', anyOf)
        .execute()
    }
  })
}

/** Drops the whole index of a base. */
export async function dropPartitions(db: IndexDb, knowledgeBaseId: string): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  await sql`drop table if exists ${sql.table(`chunks_${hex}`)}, ${sql.table(`chunk_vectors_${hex}`)}`.execute(
    db,
  )
}

/** Renews the planner's knowledge of the tables: the embedded engine has no autovacuum to do it. */
export async function refreshStatistics(
  db: IndexDb,
  knowledgeBaseId: string,
  isWorthVacuum: boolean,
): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  const command = sql.raw(isWorthVacuum ? 'vacuum analyze' : 'analyze')
  for (const table of ['documents', 'sources', `chunks_${hex}`, `chunk_vectors_${hex}`]) {
    await sql`${command} ${sql.table(table)}`.execute(db)
  }
}
