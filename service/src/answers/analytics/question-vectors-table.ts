/** The embedding of a question by a model. */
export interface QuestionVectorsTable {
  knowledge_base_id: string
  message_id: string
  embedding_key: string
  /** One byte per axis. */
  vector: Buffer
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    question_vectors: QuestionVectorsTable
  }
}
