import { sql } from 'kysely'
import type { ChunkPlace } from '../chunking/chunking.ts'
import { vectorOfText, vectorText } from '../../platform/storage/vector-text.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import { INDEX_TABLES, type IndexDb } from './indexing-tables.ts'
import { lockSourceShared, VISIBILITY_OF_NEVER_LIVE, visibilityNow } from './index-sources-store.ts'

export interface ChunkRow {
  id: string
  ordinal: number
  headingPath: string[]
  anchor: string | undefined
  places: readonly ChunkPlace[]
  text: string
  terms: string
  /** What search and answers need of its Markdown. */
  reading: string
  embeddedHash: string
  vector: PassageVectors | undefined
}

export interface PassageVectors {
  whole: Float32Array
  /** Vectors of its sentences, packed; undefined if the model gives none. */
  sentences: Buffer | undefined
}

/** Rows per insert: enough to save round trips, few enough to let other statements of the session run in between. */
const ROWS_PER_INSERT = 50

export interface NewVersion {
  knowledgeBaseId: string
  sourceId: string
  externalId: string
  newId: string
  url: string
  title: string
  language: string | undefined
  /** Visibility of a document that was never live, if its sender gave one; another keeps its own. */
  visibility: 'public' | 'restricted' | undefined
  isRestrictedAtSource?: boolean | undefined
  contentHash: string
  /** The pipeline that makes the index: see `pipelineFor`. */
  indexedWith: string
  now: Date
}

export interface BegunVersion {
  id: string
  version: number
  /** The version that readers see meanwhile. */
  liveVersion: number | undefined
  /** Approximate bytes that the live version takes. */
  storedBytes: number
}

/**
 * Takes the next version number of the document, creating its row if it is new. No two writers get the same number. Undefined if the live
 * version has the same content, made by the same pipeline.
 */
export async function beginVersion(db: IndexDb, document: NewVersion): Promise<BegunVersion | undefined> {
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
      is_visibility_own: document.visibility !== undefined,
      is_restricted_at_source: document.isRestrictedAtSource === true,
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
      conflict
        .columns(['knowledge_base_id', 'source_id', 'external_id'])
        .doUpdateSet((row) => ({
          latest_version: sql<number>`${row.ref('documents.latest_version')} + 1`,
          ...VISIBILITY_OF_NEVER_LIVE,
        }))
        .where((row) =>
          row.or([
            row('documents.live_version', 'is', null),
            row('documents.content_hash', 'is distinct from', document.contentHash),
            row('documents.indexed_with', 'is distinct from', document.indexedWith),
          ]),
        ),
    )
    .returning(['id', 'latest_version', 'live_version', 'stored_bytes'])
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      version: row.latest_version,
      liveVersion: row.live_version ?? undefined,
      storedBytes: Number(row.stored_bytes),
    }
  )
}

/** Vectors of the live version by the hash of the embedded text, to reuse for unchanged passages. */
export async function liveVectors(
  db: IndexDb,
  of: { knowledgeBaseId: string; documentId: string; version: number; embeddingKey: string },
): Promise<Map<string, PassageVectors>> {
  const rows = await db
    .selectFrom('chunks')
    .innerJoin('chunk_vectors', withinBase('chunk_vectors.chunk_id', 'chunks.id'))
    .select([
      'chunks.embedded_hash',
      'chunk_vectors.sentences',
      sql<string>`chunk_vectors.embedding::text`.as('embedding'),
    ])
    .where('chunks.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('chunks.document_id', '=', of.documentId)
    .where('chunks.version', '=', of.version)
    .where('chunk_vectors.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('chunk_vectors.embedding_key', '=', of.embeddingKey)
    .execute()
  return new Map(
    rows.map((row) => [
      row.embedded_hash,
      { whole: vectorOfText(row.embedding), sentences: row.sentences ?? undefined },
    ]),
  )
}

export interface VersionPlace {
  knowledgeBaseId: string
  documentId: string
  version: number
  embeddingKey: string | undefined
}

const rowPlace = ({ knowledgeBaseId, documentId, version }: VersionPlace) => ({
  knowledge_base_id: knowledgeBaseId,
  document_id: documentId,
  version,
})

/** Inserts chunks of a version with their vectors, and the words of its page if they are given, in one statement. */
export async function insertChunks(
  db: IndexDb,
  to: VersionPlace,
  rows: readonly ChunkRow[],
  pageTerms?: string,
): Promise<void> {
  const place = rowPlace(to)
  const into: Pick<IndexDb, 'with' | 'insertInto'> =
    pageTerms === undefined
      ? db
      : db.with('words', (also) => also.insertInto('page_words').values({ ...place, terms: pageTerms }))
  const chunks = rows.map((row) => ({
    ...place,
    id: row.id,
    ordinal: row.ordinal,
    heading_path: row.headingPath,
    anchor: row.anchor ?? null,
    places: JSON.stringify(row.places),
    text: row.text,
    terms: row.terms,
    reading: row.reading,
    embedded_hash: row.embeddedHash,
  }))
  const vectors = rows.flatMap(({ id, vector }) =>
    vector === undefined || to.embeddingKey === undefined
      ? []
      : [
          {
            ...place,
            chunk_id: id,
            embedding_key: to.embeddingKey,
            embedding: vectorText(vector.whole),
            sentences: vector.sentences ?? null,
          },
        ],
  )
  if (vectors.length === 0) await into.insertInto('chunks').values(chunks).execute()
  else {
    await into
      .with('passages', (also) => also.insertInto('chunks').values(chunks))
      .insertInto('chunk_vectors')
      .values(vectors)
      .execute()
  }
}

/**
 * Writes the chunks of a version that is not visible yet, except for the last ones, which are written when it is published. A small
 * document is thus written in a single transaction, and a large one never blocks the embedded engine's only session.
 *
 * @returns the chunks that are left to be published
 */
export async function writeUnpublishedChunks(
  db: IndexDb,
  to: VersionPlace,
  rows: readonly ChunkRow[],
): Promise<readonly ChunkRow[]> {
  let start = 0
  for (; rows.length - start > ROWS_PER_INSERT; start += ROWS_PER_INSERT)
    await insertChunks(db, to, rows.slice(start, start + ROWS_PER_INSERT))
  return rows.slice(start)
}

export interface Publication extends VersionPlace {
  sourceId: string
  url: string
  title: string
  language: string | undefined
  chunkCount: number
  storedBytes: number
  /** The chunks that are not written yet. */
  lastChunks: readonly ChunkRow[]
  /** Analysed words of the whole page. */
  pageTerms: string
  contentHash: string
  indexedWith: string
  /** What limits left out of it. */
  leftOut: readonly string[]
  sourceModifiedAt: Date | undefined
  now: Date
}

/**
 * Makes the version the live one, in one transaction, and deletes every other. False if the document was deleted in the meantime, or if a
 * newer version was begun: then nothing of this one is shown.
 */
export async function publishVersion(
  db: IndexDb,
  published: Publication,
  alsoInTransaction: (transaction: IndexDb) => Promise<void>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await lockSourceShared(transaction, published)
    const updated = await transaction
      .updateTable('documents')
      .set({
        live_version: published.version,
        url: published.url,
        title: published.title,
        language: published.language ?? null,
        chunk_count: published.chunkCount,
        stored_bytes: published.storedBytes,
        content_hash: published.contentHash,
        indexed_with: published.indexedWith,
        left_out: [...published.leftOut],
        source_modified_at: published.sourceModifiedAt ?? null,
        indexed_at: published.now,
        updated_at: published.now,
      })
      .where('knowledge_base_id', '=', published.knowledgeBaseId)
      .where('id', '=', published.documentId)
      .where('latest_version', '=', published.version)
      .executeTakeFirst()
    const isLive = updated.numUpdatedRows > 0n
    // A first version has no predecessor, and no other writer has begun one since, or this one would not be the latest.
    if (!isLive || published.version > 1) await dropVersions(transaction, published, isLive ? '<>' : '=')
    if (!isLive) return false
    await insertChunks(transaction, published, published.lastChunks, published.pageTerms)
    await alsoInTransaction(transaction)
    return true
  })
}

/**
 * Discards a version that will not be published, and the document's row if it never had a live version. A version that is live or held
 * stays: its writer may have lost the answer to a transaction that was committed, or have failed after it.
 */
export async function abandonVersion(db: IndexDb, of: VersionPlace): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Waits for a transaction that is still being committed.
    const document = await transaction
      .selectFrom('documents')
      .select('live_version')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.documentId)
      .forUpdate()
      .executeTakeFirst()
    const held = await transaction
      .selectFrom('held_documents')
      .select('version')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('document_id', '=', of.documentId)
      .executeTakeFirst()
    if (document?.live_version === of.version || held?.version === of.version) return
    // An earlier version may be held.
    if (held === undefined)
      await transaction
        .deleteFrom('documents')
        .where('knowledge_base_id', '=', of.knowledgeBaseId)
        .where('id', '=', of.documentId)
        .where('latest_version', '=', of.version)
        .where('live_version', 'is', null)
        .execute()
    await dropVersions(transaction, of, '=')
  })
}

/** Deletes everything made from one version of a document, or from all the others, in one statement. */
export async function dropVersions(db: IndexDb, of: VersionPlace, which: '=' | '<>'): Promise<void> {
  const [last, ...others] = INDEX_TABLES.map(
    (table) => sql`delete from ${sql.table(table)} where knowledge_base_id = ${of.knowledgeBaseId}
      and document_id = ${of.documentId} and version ${sql.raw(which)} ${of.version}::integer`,
  )
  const named = others.map((statement, at) => sql`${sql.ref(`part_${at}`)} as (${statement})`)
  await sql`with ${sql.join(named)} ${last}`.execute(db)
}

/** Deletes documents and everything made from them, in one transaction: that of the caller, if it has one. */
export async function removeDocuments(
  db: IndexDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return
  const remove = async (transaction: IndexDb) => {
    // One array parameter, however many ids: a statement can take 65,535 parameters.
    const anyOf = sql<string>`any(${[...documentIds]}::uuid[])`
    await transaction
      .deleteFrom('documents')
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .where('id', '=', anyOf)
      .execute()
    for (const table of INDEX_TABLES) {
      await transaction
        .deleteFrom(table)
        .where('knowledge_base_id', '=', knowledgeBaseId)
        .where('document_id', '=', anyOf)
        .execute()
    }
  }
  await (db.isTransaction ? remove(db) : db.transaction().execute(remove))
}
