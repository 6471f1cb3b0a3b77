import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

export interface SuggestedQuestionsTable {
  knowledge_base_id: string
  /** Each with the page that answers it, so that a read can check whether that page is still public. */
  questions: Json<{ question: string; documentId: string }[]>
  /** A fingerprint of the public pages at that time. */
  made_from: ColumnType<string, string | undefined, string>
  made_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    suggested_questions: SuggestedQuestionsTable
  }
}
