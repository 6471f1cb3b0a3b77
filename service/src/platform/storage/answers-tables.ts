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
  trace: Json<Record<string, unknown>>
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
  made_at: Date
}

/** What is said. */
export interface AnswersTables {
  threads: ThreadsTable
  messages: MessagesTable
  feedback: FeedbackTable
  suggested_questions: SuggestedQuestionsTable
}
