import type { ColumnType } from 'kysely'

/** Left out of an insert, a column of it is null. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

export interface SourceConnectionsTable {
  knowledge_base_id: string
  id: string
  platform: string
  /** As the platform calls it. */
  account: Nullable<string>
  status: 'pending' | 'connected' | 'broken'
  /** Encrypted. */
  sealed_tokens: Nullable<string>
  state_hash: Nullable<string>
  /** Encrypted. */
  sealed_verifier: Nullable<string>
  state_session_id: Nullable<string>
  state_until: Nullable<Date>
  renewing_until: Nullable<Date>
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    source_connections: SourceConnectionsTable
  }
}
