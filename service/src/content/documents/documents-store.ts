import { sql } from 'kysely'
import { isNamedByAny, type NamedPage } from '../addresses/addresses.ts'
import type { Db } from '../../platform/storage/tables.ts'
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
    .innerJoin('sources', (join) =>
      join
        .onRef('sources.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('sources.id', '=', 'documents.source_id'),
    )
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

export async function listDocuments(
  db: DocumentsDb,
  of: PageRequest & {
    knowledgeBaseId: string
    sourceId: string | undefined
    visibility: DocumentsTable['visibility'] | undefined
    page: NamedPage | undefined
  },
): Promise<DocumentRow[]> {
  return await selectDocuments(db, of.knowledgeBaseId)
    .$if(of.sourceId !== undefined, (query) => query.where('documents.source_id', '=', of.sourceId ?? ''))
    .$if(of.visibility !== undefined, (query) =>
      query.where('documents.visibility', '=', of.visibility ?? 'public'),
    )
    .$if(of.page !== undefined, (query) => query.where(isNamedByAny(of.page === undefined ? [] : [of.page])))
    .$if(of.after !== undefined, (query) => query.where('documents.id', '>', of.after ?? ''))
    .orderBy('documents.id')
    .limit(of.limit)
    .execute()
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

/** Deletes the uploaded file that a document was made from, so that the next sync does not bring it back. */
export async function deleteUploadedFile(
  db: DocumentsDb,
  of: { knowledgeBaseId: string; sourceId: string; name: string },
): Promise<void> {
  await db
    .deleteFrom('source_files')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('name', '=', of.name)
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
