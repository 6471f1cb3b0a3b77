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
  /** Documents that its writer was shown, also through the turns before it. */
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
  /** Each with the page that answers it, so that a reading can ask whether that page is still public. */
  questions: Json<{ question: string; documentId: string }[]>
  /** The state of the public pages then. */
  made_from: ColumnType<string, string | undefined, string>
  made_at: Date
}

/** Where a question stands in the space of a model. */
export interface QuestionVectorsTable {
  knowledge_base_id: string
  message_id: string
  embedding_key: string
  /** One byte an axis. */
  vector: Buffer
}

/** What is said. */
export interface AnswersTables {
  threads: ThreadsTable
  messages: MessagesTable
  feedback: FeedbackTable
  suggested_questions: SuggestedQuestionsTable
  question_vectors: QuestionVectorsTable
}
