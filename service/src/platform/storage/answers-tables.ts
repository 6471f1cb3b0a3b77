import type { ColumnType } from 'kysely'
import type { Json } from './json-column.ts'

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

export interface SuggestedQuestionsTable {
  knowledge_base_id: string
  /** Each with the page that answers it, so that a read can check whether that page is still public. */
  questions: Json<{ question: string; documentId: string }[]>
  /** A fingerprint of the public pages at that time. */
  made_from: ColumnType<string, string | undefined, string>
  made_at: Date
}

/** The embedding of a question by a model. */
export interface QuestionVectorsTable {
  knowledge_base_id: string
  message_id: string
  embedding_key: string
  /** One byte per axis. */
  vector: Buffer
}

/** Conversations and answers. */
export interface AnswersTables {
  threads: ThreadsTable
  messages: MessagesTable
  feedback: FeedbackTable
  suggested_questions: SuggestedQuestionsTable
  question_vectors: QuestionVectorsTable
}
