import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

export interface SourcesTable {
  knowledge_base_id: string
  id: string
  name: string
  type: string
  config: Json<Record<string, unknown>>
  /** Credentials for reading the source; encrypted. */
  sealed_credentials: ColumnType<string | null, string | null | undefined, string | null>
  /** The connected account that it is read with. */
  connection_id: ColumnType<string | null, string | null | undefined, string | null>
  version_label: string | null
  source_group_id: string | null
  visibility: 'public' | 'restricted'
  refresh: 'none' | 'hourly' | 'daily' | 'weekly' | 'monthly'
  next_refresh_at: Date | null
  /** A sync that makes hit@5 fall by more is held back; null: none is. */
  hold_back_drop: ColumnType<number | null, number | null | undefined, number | null>
  created_at: Date
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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    sources: SourcesTable
    source_files: SourceFilesTable
  }
}
