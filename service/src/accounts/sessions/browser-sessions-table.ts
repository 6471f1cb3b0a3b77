import type { ColumnType } from 'kysely'

export interface BrowserSessionsTable {
  id: string
  token_hash: string
  user_id: string
  created_at: Date
  last_seen_at: Date
  /** Such as "Firefox on Linux". */
  browser: ColumnType<string | null, string | null | undefined, never>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    browser_sessions: BrowserSessionsTable
  }
}
