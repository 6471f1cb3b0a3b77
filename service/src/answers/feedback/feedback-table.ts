export interface FeedbackTable {
  knowledge_base_id: string
  message_id: string
  id: string
  vote: 'up' | 'down'
  comment: string | null
  source: string
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    feedback: FeedbackTable
  }
}
