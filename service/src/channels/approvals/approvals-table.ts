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
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    approvals: ApprovalsTable
  }
}
