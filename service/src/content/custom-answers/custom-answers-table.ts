/** Its visibility is that of its document, its group that of its source. */
export interface CustomAnswersTable {
  knowledge_base_id: string
  id: string
  source_id: string
  /** Equal to `id`; used to find the document. */
  external_id: string
  question: string
  answer: string
  url: string | null
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    custom_answers: CustomAnswersTable
  }
}
