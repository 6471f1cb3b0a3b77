import { sql } from 'kysely'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { ChunkPlace } from '../chunking/chunking.ts'
import type { DocumentsDb } from './documents-store.ts'

/** Who reads a document; anonymous readers are members of no base. */
export interface DocumentReader {
  documentId: string
  /** Bases whose restricted documents they may read. */
  memberBaseIds: readonly string[]
}

/** A document that the reader may see: anyone may read public documents of external bases. Active bases only. */
export async function findShownDocument(db: DocumentsDb, { documentId, memberBaseIds }: DocumentReader) {
  return await db
    .selectFrom('documents')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'documents.knowledge_base_id')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .select([
      'documents.id',
      'documents.knowledge_base_id',
      'documents.source_id',
      'documents.external_id',
      'documents.url',
      'documents.title',
      'documents.language',
      'documents.live_version',
      'documents.indexed_at',
      'sources.type as source_type',
      'sources.version_label',
      'knowledge_bases.name as base_name',
      sql<boolean>`documents.visibility = 'public' and knowledge_bases.type = 'external'`.as('is_public'),
    ])
    .where('documents.id', '=', documentId)
    .where('documents.live_version', 'is not', null)
    .where('knowledge_bases.status', '=', 'active')
    .where(
      sql<boolean>`((documents.visibility = 'public' and knowledge_bases.type = 'external')
        or documents.knowledge_base_id = any(${[...memberBaseIds]}::uuid[]))`,
    )
    .executeTakeFirst()
}

export type ShownDocument = NonNullable<Awaited<ReturnType<typeof findShownDocument>>>

/** A passage as a page shows it. */
export interface ShownPassage {
  id: string
  heading_path: string[]
  anchor: string | null
  places: ChunkPlace[]
  text: string
}

/** Approximate number of characters that one page shows. The rest of a longer document is on further pages. */
const PART_CHARACTERS = 100_000

interface VersionOf {
  knowledge_base_id: string
  id: string
  live_version: number | null
}

/** Passages with the number of the document part that contains each, from 0. */
const inParts = ({ knowledge_base_id: base, id, live_version: version }: VersionOf) => sql`
  select id, ordinal, heading_path, anchor, places, text,
    ((sum(length(text)) over (order by ordinal) - length(text)) / ${PART_CHARACTERS}::integer)::integer as part
  from chunks where knowledge_base_id = ${base} and document_id = ${id} and version = ${version}`

/** How many parts a document has, and which one contains a passage. */
export async function measureParts(
  db: DocumentsDb,
  document: VersionOf,
  passageId: string | undefined,
): Promise<{ parts: number; partOfPassage: number | undefined }> {
  const { rows } = await sql<{ last: number | null; cited: number | null }>`
    with passages as (${inParts(document)})
    select max(part) as last, max(part) filter (where id = ${passageId ?? null}::uuid) as cited from passages`.execute(
    db,
  )
  return { parts: (rows[0]?.last ?? 0) + 1, partOfPassage: rows[0]?.cited ?? undefined }
}

export async function listPassagesOfPart(
  db: DocumentsDb,
  document: VersionOf,
  part: number,
): Promise<ShownPassage[]> {
  const { rows } = await sql<ShownPassage>`
    with passages as (${inParts(document)})
    select id, heading_path, anchor, places, text from passages where part = ${part} order by ordinal`.execute(
    db,
  )
  return rows
}

/** The uploaded file that a document was made from. */
export async function findUploadedFile(db: DocumentsDb, document: ShownDocument) {
  return await db
    .selectFrom('source_files')
    .select(['name', 'media_type', 'byte_length', 'sha256'])
    .where('knowledge_base_id', '=', document.knowledge_base_id)
    .where('source_id', '=', document.source_id)
    .where('name', '=', document.external_id)
    .executeTakeFirst()
}
