import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** The tables made from documents, all keyed by `knowledge_base_id`, `document_id` and `version`. */
export const INDEX_TABLES = ['chunk_vectors', 'chunks', 'page_words'] as const

export type IndexDb = Db<
  | 'documents'
  | 'chunks'
  | 'chunk_vectors'
  | 'page_words'
  | 'held_documents'
  | 'source_pages'
  | 'source_progress'
  | 'sources'
  | 'syncs'
  | 'knowledge_bases'
  | 'custom_answers'
  | 'workspaces'
  | 'workspace_storage'
>

export interface ChunksTable {
  knowledge_base_id: string
  id: string
  document_id: string
  version: number
  ordinal: number
  heading_path: string[]
  anchor: string | null
  /** If a passage spans several sections: each part's offset in `text`, its fragment id, and its own headings. */
  places: Json<{ at: number; anchor?: string; headings: string[] }[]>
  text: string
  terms: string
  /** JSON of the passage's readable text; null for passages indexed before this column existed. */
  reading: string | null
  embedded_hash: string
}

export interface ChunkVectorsTable {
  knowledge_base_id: string
  chunk_id: string
  document_id: string
  version: number
  embedding_key: string
  /** As pgvector's text form, `[0.1,0.2,…]`. */
  embedding: string
  /** The sentences' vectors, packed; null if the model provides none. */
  sentences: Buffer | null
}

export interface PageWordsTable {
  knowledge_base_id: string
  document_id: string
  version: number
  terms: string
}

/** A version of a document that no reader sees yet, or that the document goes; at most one of each document. */
export interface HeldDocumentsTable {
  knowledge_base_id: string
  document_id: string
  source_id: string
  /** Null: the document goes. */
  version: number | null
  url: string | null
  title: string | null
  language: string | null
  chunk_count: number | null
  /** Counted in the document's own bytes as long as it is held; a bigint, read as text. */
  stored_bytes: ColumnType<string, number | undefined, number>
  content_hash: string | null
  /** What limits left out of this version, a sentence for each. */
  left_out: ColumnType<string[], string[] | undefined, string[]>
  indexed_with: string | null
  source_modified_at: Date | null
  /** Its source shows it to everyone since: it is restricted here until it is released. */
  follows_source: ColumnType<boolean, boolean | undefined, boolean>
  held_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    chunks: ChunksTable
    chunk_vectors: ChunkVectorsTable
    page_words: PageWordsTable
    held_documents: HeldDocumentsTable
  }
}
