/** Requests with an idempotency key, so that a repetition has no second effect. */
export interface IdempotentRequestsTable {
  /** Hash of the access token, the request's address and the key. */
  id: string
  body_hash: string
  /** JSON, encrypted; null while the first request is in flight. */
  sealed_answer: string | null
  created_at: Date
}

declare module '../../storage/tables.ts' {
  interface Tables {
    idempotent_requests: IdempotentRequestsTable
  }
}
