import type { ColumnType } from 'kysely'

export interface PlatformPostsTable {
  knowledge_base_id: string
  id: string
  integration_id: string
  /** By the database. */
  seq: ColumnType<string, string | undefined, never>
  lane: string
  sealed_body: string | null
  status: 'pending' | 'sending' | 'posted' | 'failed' | 'unknown'
  attempts: number
  not_before: Date | null
  platform_ref: string | null
  error: string | null
  message_id: string | null
  attempted_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    platform_posts: PlatformPostsTable
  }
}
