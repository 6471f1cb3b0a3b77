import type { ColumnType } from 'kysely'
import type { Json } from './json-column.ts'

export interface SourceGroupsTable {
  knowledge_base_id: string
  id: string
  name: string
  description: string | null
  created_at: Date
  updated_at: Date
}

export interface SourcesTable {
  knowledge_base_id: string
  id: string
  name: string
  type: string
  config: Json<Record<string, unknown>>
  /** Credentials for reading the source; encrypted. */
  sealed_credentials: ColumnType<string | null, string | null | undefined, string | null>
  version_label: string | null
  source_group_id: string | null
  visibility: 'public' | 'restricted'
  refresh: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly'
  next_refresh_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SyncCounts {
  discovered: number
  fetched: number
  added: number
  changed: number
  unchanged: number
  removed: number
  skipped: number
  failed: number
}

export interface SyncsTable {
  knowledge_base_id: string
  id: string
  source_id: string
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: Json<SyncCounts>
  error: string | null
  cancel_requested: ColumnType<boolean, boolean | undefined, boolean>
  lease: string | null
  heartbeat_at: Date | null
  attempts: ColumnType<number, number | undefined, number>
  started_at: Date | null
  finished_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SyncErrorsTable {
  knowledge_base_id: string
  sync_id: string
  ordinal: number
  kind: 'failed' | 'skipped'
  url: string
  reason: string
}

export interface DocumentsTable {
  knowledge_base_id: string
  id: string
  source_id: string
  external_id: string
  url: string
  title: string
  language: string | null
  visibility: 'public' | 'restricted'
  /** The visibility was set on this document: that of its source does not apply. */
  is_visibility_own: ColumnType<boolean, boolean | undefined, boolean>
  live_version: number | null
  latest_version: ColumnType<number, number | undefined, number>
  chunk_count: ColumnType<number, number | undefined, number>
  /** Approximate size on disk; a bigint, read as text. */
  stored_bytes: ColumnType<string, number | undefined, number>
  content_hash: string | null
  indexed_with: string | null
  source_modified_at: Date | null
  indexed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SourcePagesTable {
  knowledge_base_id: string
  source_id: string
  url: string
  etag: string | null
  last_modified: string | null
  body_hash: string | null
  external_id: string | null
  state: Json<Record<string, unknown>>
  updated_at: Date
}

export interface SourceFilesTable {
  knowledge_base_id: string
  id: string
  source_id: string
  name: string
  media_type: string
  byte_length: number
  sha256: string
  created_at: Date
  updated_at: Date
}

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

/** Its visibility is that of its document, its group that of its source. */
export interface CustomAnswersTable {
  knowledge_base_id: string
  id: string
  source_id: string
  /** Equal to `id`; used to find the document. */
  external_id: string
  question: string
  answer: string
  url: string | null
  created_at: Date
  updated_at: Date
}

/** Sources, documents and the index. */
export interface ContentTables {
  source_groups: SourceGroupsTable
  sources: SourcesTable
  syncs: SyncsTable
  sync_errors: SyncErrorsTable
  documents: DocumentsTable
  source_pages: SourcePagesTable
  source_files: SourceFilesTable
  chunks: ChunksTable
  chunk_vectors: ChunkVectorsTable
  page_words: PageWordsTable
  custom_answers: CustomAnswersTable
}
