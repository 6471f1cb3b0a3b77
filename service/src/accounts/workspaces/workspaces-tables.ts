import type { ColumnType } from 'kysely'

/** A nullable column that an insert may omit. */
type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

export interface WorkspacesTable {
  id: string
  name: string
  plan: 'free' | 'pro' | 'enterprise'
  zero_data_retention: boolean
  /** Set by the operator; null: the quota of the plan. */
  monthly_question_allowance: Nullable<number>
  /** Days of inactivity after which conversations are purged; null keeps them. */
  retention_days: Nullable<number>
  llm_base_url: Nullable<string>
  llm_model: Nullable<string>
  llm_sealed_api_key: Nullable<string>
  /** The last four characters of the key. */
  llm_api_key_end: Nullable<string>
  suspended_at: Nullable<Date>
  /** The bases that the suspension archived. */
  suspended_base_ids: ColumnType<string[], string[] | undefined, string[]>
  created_at: Date
  updated_at: Date
}

export interface SetupCodesTable {
  code_hash: string
  user_id: string
  expires_at: Date
  created_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    workspaces: WorkspacesTable
    setup_codes: SetupCodesTable
  }
}
