import type { Json } from '../../platform/storage/json-column.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** The tables made from documents, all keyed by `knowledge_base_id`, `document_id` and `version`. */
export const INDEX_TABLES = ['chunk_vectors', 'chunks', 'page_words'] as const

export type IndexDb = Db<
  | 'documents'
  | 'chunks'
  | 'chunk_vectors'
  | 'page_words'
  | 'source_pages'
  | 'sources'
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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    chunks: ChunksTable
    chunk_vectors: ChunkVectorsTable
    page_words: PageWordsTable
  }
}
