export interface HelpdeskTicketsTable {
  knowledge_base_id: string
  integration_id: string
  ticket_id: string
  thread_id: string | null
  answers_given: number
  answering_since: Date | null
  status: 'open' | 'answered' | 'unanswered' | 'escalated'
  reason: string | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    helpdesk_tickets: HelpdeskTicketsTable
  }
}
