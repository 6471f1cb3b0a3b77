import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

/** What of an approval stays once it is decided or has expired: its texts as they are, masked, or nothing. */
export type KeptOfApproval = 'all' | 'masked' | 'nothing'

export interface ApprovalsTable {
  knowledge_base_id: string
  id: string
  agent_id: string
  kind: 'reply' | 'action'
  title: string
  content: string
  decision: 'approved' | 'rejected' | null
  comment: string | null
  decided_by: string | null
  decided_at: Date | null
  action_name: string | null
  action_input: Json<Record<string, unknown>>
  edited_content: string | null
  dedupe_key: string | null
  expires_at: Date | null
  execution: 'waiting' | 'done' | 'failed' | 'unknown' | null
  execution_note: string | null
  executed_at: Date | null
  sealed_texts: string | null
  keeps: ColumnType<KeptOfApproval, KeptOfApproval | undefined, KeptOfApproval>
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    approvals: ApprovalsTable
  }
}
