export interface KnowledgeGapsTable {
  knowledge_base_id: string
  id: string
  status: 'open' | 'resolved' | 'dismissed'
  note: string | null
  custom_answer_id: string | null
  resolved_at: Date | null
  reopened_at: Date | null
  created_at: Date
  updated_at: Date
}

/** A question of a gap. */
export interface KnowledgeGapQuestionsTable {
  knowledge_base_id: string
  message_id: string
  gap_id: string
  replay_covered: boolean | null
  replayed_at: Date | null
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    knowledge_gaps: KnowledgeGapsTable
    knowledge_gap_questions: KnowledgeGapQuestionsTable
  }
}
