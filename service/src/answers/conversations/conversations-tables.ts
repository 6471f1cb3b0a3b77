import type { ColumnType } from 'kysely'
import type { Json } from '../../platform/storage/json-column.ts'

export interface ThreadsTable {
  knowledge_base_id: string
  id: string
  client_key_id: string | null
  surface: string
  user_ref: string | null
  created_at: Date
  updated_at: Date
}

export interface MessagesTable {
  knowledge_base_id: string
  id: string
  thread_id: string
  query: string
  rewritten_query: string | null
  answer: string
  citations: Json<unknown[]>
  covered: boolean
  confidence: number
  stopped_by: string | null
  /** Documents that were part of the prompt, also through earlier turns. */
  drew_on: ColumnType<string[], string[] | undefined, string[]>
  trace: Json<Record<string, unknown>>
  /** Milliseconds to the first piece of the answer, and to its end. */
  first_ms: ColumnType<number | null, number | null | undefined, never>
  total_ms: ColumnType<number | null, number | null | undefined, never>
  /** Analysed words of question and answer. */
  terms: ColumnType<string[], string[] | undefined, never>
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    threads: ThreadsTable
    messages: MessagesTable
  }
}
