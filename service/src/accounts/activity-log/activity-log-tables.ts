import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

export interface ActivityLogTable {
  workspace_id: string
  /** 1 for a workspace's first entry; without gaps. */
  sequence: ColumnType<string, number, never>
  id: string
  knowledge_base_id: string | null
  actor_user_id: string | null
  actor_token_id: string | null
  actor_system: string | null
  action: string
  target_type: string
  target_id: string
  target_name: string | null
  details: Json<Record<string, unknown>>
  at: Date
  hash: string
}

/** The last entry of the hash chain of a workspace. */
export interface ActivityHeadsTable {
  workspace_id: string
  sequence: ColumnType<string, number, number>
  hash: string
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    activity_log: ActivityLogTable
    activity_heads: ActivityHeadsTable
  }
}
