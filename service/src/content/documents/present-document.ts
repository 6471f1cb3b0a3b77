import type { Document, DocumentSummary } from '@citewell/contract/documents'
import type { AddressedDocument } from '../addresses/addresses.ts'
import type { DocumentChunk, DocumentRow } from './documents-store.ts'

/** The record that lists show. */
export function presentDocument(
  row: DocumentRow,
  addressOf: (document: AddressedDocument) => string,
): DocumentSummary {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    source_id: row.source_id,
    source_group_id: row.source_group_id,
    title: row.title,
    url: addressOf({ url: row.url, documentId: row.id }),
    visibility: row.visibility,
    version_label: row.version_label,
    indexed_at: row.indexed_at?.toISOString() ?? null,
    source_modified_at: row.source_modified_at?.toISOString() ?? null,
    chunk_count: row.chunk_count,
    left_out: row.left_out,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function presentDocumentWithChunks(
  { row, chunks, isWithheld }: { row: DocumentRow; chunks: DocumentChunk[]; isWithheld: boolean },
  addressOf: (document: AddressedDocument) => string,
): Document {
  const passages = chunks.map(({ id, heading_path, anchor, text }) => ({ id, heading_path, anchor, text }))
  return { ...presentDocument(row, addressOf), chunks: passages, withheld: isWithheld }
}
