import type { Json } from '../../platform/storage/json-column.ts'

export interface EvaluationQuestionsTable {
  knowledge_base_id: string
  id: string
  question: string
  urls: Json<string[]>
  answerable: boolean
  created_at: Date
  updated_at: Date
}

export interface EvaluationsTable {
  knowledge_base_id: string
  id: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  include_restricted: boolean
  total: number
  error: string | null
  lease: string | null
  started_at: Date | null
  finished_at: Date | null
  created_at: Date
  updated_at: Date
}

/** A page that was found for a question. */
export interface FoundPage {
  document_id: string
  title: string
  url: string
}

export interface EvaluationResultsTable {
  knowledge_base_id: string
  evaluation_id: string
  ordinal: number
  question: string
  urls: Json<string[]>
  answerable: boolean
  outcome: 'answered' | 'refused' | 'failed' | null
  rank: number | null
  cited: boolean | null
  found: Json<FoundPage[]>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    evaluation_questions: EvaluationQuestionsTable
    evaluations: EvaluationsTable
    evaluation_results: EvaluationResultsTable
  }
}
