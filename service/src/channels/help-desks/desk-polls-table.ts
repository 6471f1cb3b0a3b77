export interface HelpdeskPollsTable {
  knowledge_base_id: string
  integration_id: string
  cursor: string | null
  next_at: Date
  is_failing: boolean
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    helpdesk_polls: HelpdeskPollsTable
  }
}
