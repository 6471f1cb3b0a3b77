import type { ColumnType } from 'kysely'

export interface PlatformEventsTable {
  knowledge_base_id: string
  integration_id: string
  delivery_id: string
  /** By the database. */
  seq: ColumnType<string, string | undefined, never>
  lane: string
  /** Those of one channel take turns with those of others. */
  channel: string
  sealed_body: string | null
  status: 'received' | 'handling' | 'done' | 'failed'
  attempts: number
  claim: string | null
  claimed_at: Date | null
  error: string | null
  /** What shows its answer while it is written; empty: something was begun, and may be there. */
  live_ref: string | null
  received_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    platform_events: PlatformEventsTable
  }
}
