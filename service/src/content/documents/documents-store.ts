import { sql, type RawBuilder } from 'kysely'
import { isNamedByAny, type NamedPage } from '../addresses/addresses.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { DocumentsTable } from './documents-table.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type DocumentsDb = Db<
  'documents' | 'sources' | 'chunks' | 'chunk_vectors' | 'source_files' | 'source_pages' | 'knowledge_bases'
>

/** How many documents of a base readers can see: a column of a statement that lists `knowledge_bases`. */
export const LIVE_DOCUMENT_COUNT = sql<string>`(
  select count(*) from documents
  where documents.knowledge_base_id = knowledge_bases.id and documents.live_version is not null)`

/** Documents that readers can see, with the fields of their sources. */
const selectDocuments = (db: DocumentsDb, knowledgeBaseId: string) =>
  db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select([
      'documents.knowledge_base_id',
      'documents.id',
      'documents.source_id',
      'documents.external_id',
      'documents.title',
      'documents.url',
      'documents.visibility',
      'documents.live_version',
      'documents.chunk_count',
      'documents.left_out',
      'documents.indexed_at',
      'documents.source_modified_at',
      'documents.created_at',
      'documents.updated_at',
      'sources.source_group_id',
      'sources.version_label',
      'sources.type as source_type',
    ])
    .where('documents.knowledge_base_id', '=', knowledgeBaseId)
    .where('documents.live_version', 'is not', null)

export type DocumentRow = NonNullable<Awaited<ReturnType<typeof findDocument>>>

export async function findDocument(db: DocumentsDb, knowledgeBaseId: string, documentId: string) {
  return await selectDocuments(db, knowledgeBaseId).where('documents.id', '=', documentId).executeTakeFirst()
}

export async function findDocumentByExternalId(
  db: DocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string; externalId: string },
): Promise<DocumentRow | undefined> {
  return await selectDocuments(db, of.knowledgeBaseId)
    .where('documents.source_id', '=', of.sourceId)
    .where('documents.external_id', '=', of.externalId)
    .executeTakeFirst()
}

/** The row of a document, whether readers see a version of it yet or not. */
export async function findPushed(
  db: Db<'documents'>,
  of: { knowledgeBaseId: string; sourceId: string; externalId: string },
): Promise<{ id: string } | undefined> {
  return await db
    .selectFrom('documents')
    .select('id')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('external_id', '=', of.externalId)
    .executeTakeFirst()
}

/** Which documents of a base; what is undefined does not matter. */
export interface DocumentFilter {
  sourceId: string | undefined
  visibility: DocumentsTable['visibility'] | undefined
  page?: NamedPage | undefined
  /** A part of the title or the address. */
  text?: string | undefined
  /** The version label of its source. */
  label?: string | undefined
}

/** Conditions on `documents` and `sources`. */
function matches(of: DocumentFilter): RawBuilder<boolean> {
  const conditions = [
    of.sourceId !== undefined && sql<boolean>`documents.source_id = ${of.sourceId}`,
    of.visibility !== undefined && sql<boolean>`documents.visibility = ${of.visibility}`,
    of.page !== undefined && isNamedByAny([of.page]),
    of.text !== undefined &&
      of.text !== '' &&
      sql<boolean>`(position(lower(${of.text}) in lower(documents.title)) > 0 or position(lower(${of.text}) in lower(documents.url)) > 0)`,
    of.label !== undefined && sql<boolean>`sources.version_label = ${of.label}`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * What a list is ordered by, as text that is compared byte by byte. A cursor carries it, and has at most 500 characters: so titles are
 * ordered by their first 60.
 */
const SORT_KEYS = {
  title: sql<string>`left(lower(documents.title), 60) collate "C"`,
  indexed_at: sql<string>`to_char(coalesce(documents.indexed_at, documents.created_at) at time zone 'UTC', 'YYYYMMDDHH24MISSUS') collate "C"`,
  chunk_count: sql<string>`lpad(documents.chunk_count::text, 10, '0') collate "C"`,
}

/** An order of documents, and in it the last one of the page before. */
export interface DocumentOrder {
  by: keyof typeof SORT_KEYS
  isReversed: boolean
  after: { key: string; id: string } | undefined
}

/** A document with what it was ordered by. */
export type OrderedDocumentRow = DocumentRow & { sort_key: string }

export async function listDocuments(
  db: DocumentsDb,
  of: PageRequest & DocumentFilter & { knowledgeBaseId: string },
): Promise<DocumentRow[]> {
  return await selectDocuments(db, of.knowledgeBaseId)
    .where(matches(of))
    .$if(of.after !== undefined, (query) => query.where('documents.id', '>', of.after ?? ''))
    .orderBy('documents.id')
    .limit(of.limit)
    .execute()
}

export async function listDocumentsInOrder(
  db: DocumentsDb,
  of: DocumentFilter & { knowledgeBaseId: string; order: DocumentOrder; limit: number },
): Promise<OrderedDocumentRow[]> {
  const { by, isReversed, after } = of.order
  const direction = isReversed ? 'desc' : 'asc'
  return await selectDocuments(db, of.knowledgeBaseId)
    .select(SORT_KEYS[by].as('sort_key'))
    .where(matches(of))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(${SORT_KEYS[by]}, documents.id) ${isReversed ? sql`<` : sql`>`} (${after?.key ?? ''}, ${after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy(SORT_KEYS[by], direction)
    .orderBy('documents.id', direction)
    .limit(of.limit)
    .execute()
}

/** How many documents of a base a filter finds, by visibility. */
export async function countFoundDocuments(
  db: DocumentsDb,
  of: DocumentFilter & { knowledgeBaseId: string },
): Promise<{ visibility: DocumentsTable['visibility']; count: number }[]> {
  const rows = await db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select((row) => ['documents.visibility', row.fn.countAll<string>().as('count')])
    .where('documents.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('documents.live_version', 'is not', null)
    .where(matches(of))
    .groupBy('documents.visibility')
    .execute()
  return rows.map(({ visibility, count }) => ({ visibility, count: Number(count) }))
}

/** Sets the visibility of documents, which no longer follow their sources from then on. Returns those that had another one. */
export async function setVisibilities(
  db: Pick<DocumentsDb, 'updateTable'>,
  of: {
    knowledgeBaseId: string
    documentIds: readonly string[]
    visibility: DocumentsTable['visibility']
    now: Date
  },
): Promise<string[]> {
  const named = db
    .updateTable('documents')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', 'in', of.documentIds)
    .where('live_version', 'is not', null)
  await named.set({ is_visibility_own: true }).where('is_visibility_own', '=', false).execute()
  const changed = await named
    .set({ visibility: of.visibility, updated_at: of.now })
    .where('visibility', '<>', of.visibility)
    .returning('id')
    .execute()
  return changed.map(({ id }) => id)
}

export interface DocumentChunk {
  id: string
  heading_path: string[]
  anchor: string | null
  text: string
}

export async function listChunks(
  db: DocumentsDb,
  of: { knowledgeBaseId: string; documentId: string; version: number },
): Promise<DocumentChunk[]> {
  return await db
    .selectFrom('chunks')
    .select(['id', 'heading_path', 'anchor', 'text'])
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('document_id', '=', of.documentId)
    .where('version', '=', of.version)
    .orderBy('ordinal')
    .execute()
}

/** Sets the visibility of a document, which no longer follows its source from then on. False if it had this visibility already. */
export async function setVisibility(
  db: Pick<DocumentsDb, 'updateTable'>,
  of: { knowledgeBaseId: string; documentId: string; visibility: DocumentsTable['visibility']; now: Date },
): Promise<boolean> {
  await db
    .updateTable('documents')
    .set({ is_visibility_own: true })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.documentId)
    .where('is_visibility_own', '=', false)
    .execute()
  const updated = await db
    .updateTable('documents')
    .set({ visibility: of.visibility, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.documentId)
    .where('visibility', '<>', of.visibility)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Restricts every document of a base when its type changes. Documents that had been made public individually are restricted too. */
export async function restrictDocuments(
  db: Db<'documents'>,
  knowledgeBaseId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('documents')
    .set({ visibility: 'restricted', is_visibility_own: false, updated_at: now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('visibility', '=', 'public')
    .execute()
}

export async function countDocuments(db: Db<'documents'>, knowledgeBaseId: string): Promise<number> {
  const row = await db
    .selectFrom('documents')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('live_version', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
