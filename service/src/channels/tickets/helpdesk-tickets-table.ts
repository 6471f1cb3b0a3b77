/**
 * Who handles a ticket, and what is known of its answer. `posting`: decided, and not known to be posted. `unsure`: it may have been posted.
 * `drafted`: a person got a draft. `observed`: nothing was said, `reason` has what would have been done. `with_people`: a person wrote.
 */
export type TicketStatus =
  | 'open'
  | 'posting'
  | 'unsure'
  | 'answered'
  | 'unanswered'
  | 'escalated'
  | 'drafted'
  | 'observed'
  | 'with_people'

export interface HelpdeskTicketsTable {
  knowledge_base_id: string
  integration_id: string
  ticket_id: string
  thread_id: string | null
  answers_given: number
  answering_since: Date | null
  status: TicketStatus
  reason: string | null
  due_at: Date | null
  tries: number
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    helpdesk_tickets: HelpdeskTicketsTable
  }
}
