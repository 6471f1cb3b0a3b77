/** Requests that named a key of their own, so that a second one does nothing twice. */
export interface IdempotentRequestsTable {
  /** Hash of who asked, what, and with which key. */
  id: string
  body_hash: string
  /** JSON, sealed; null while the first request is under way. */
  sealed_answer: string | null
  created_at: Date
}

/** The tables that the platform keeps for itself. */
export interface PlatformTables {
  idempotent_requests: IdempotentRequestsTable
}
