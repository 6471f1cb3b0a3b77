import type { ColumnType } from 'kysely'

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
  /** Its source shows it to some people only: the visibility of the source here does not apply, unless it restricts too. */
  is_restricted_at_source: ColumnType<boolean, boolean | undefined, boolean>
  live_version: number | null
  latest_version: ColumnType<number, number | undefined, number>
  chunk_count: ColumnType<number, number | undefined, number>
  /** Approximate size on disk; a bigint, read as text. */
  stored_bytes: ColumnType<string, number | undefined, number>
  content_hash: string | null
  /** What limits left out of the live version, a sentence for each. */
  left_out: ColumnType<string[], string[] | undefined, string[]>
  indexed_with: string | null
  source_modified_at: Date | null
  indexed_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    documents: DocumentsTable
  }
}
