import type { ColumnType } from 'kysely'

export interface OAuthRecordsTable {
  kind: string
  id_hash: string
  sealed_payload: string
  grant_hash: string | null
  uid_hash: string | null
  consumed_at: Date | null
  expires_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

export interface ConnectedToolsTable {
  account_id: string
  grant_hash: string
  server_id: string
  client_name: string
  redirect_host: string
  resource: string
  created_at: ColumnType<Date, Date | undefined, Date>
  last_used_at: Date | null
  id: ColumnType<string, string | undefined, never>
  /** At the portal: every base that the member may chat in, also future ones. */
  reads_all: ColumnType<boolean, boolean | undefined, boolean>
  /** At the portal: the bases that the member chose. */
  knowledge_base_ids: ColumnType<string[], string[] | undefined, string[]>
  updated_at: ColumnType<Date, Date | undefined, Date>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    oauth_records: OAuthRecordsTable
    connected_tools: ConnectedToolsTable
  }
}
