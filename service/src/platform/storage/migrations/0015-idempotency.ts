/** Responses to requests with an `Idempotency-Key`, kept for a day. */
export const idempotencyMigration: readonly string[] = [
  // `id` is a hash of the token, the address and the key, none of which is stored. The response may contain a new secret, so it is
  // encrypted; null: the first request is still in flight.
  `create table idempotent_requests (
    id text primary key,
    body_hash text not null,
    sealed_answer text,
    created_at timestamptz not null
  )`,
  `create index idempotent_requests_created on idempotent_requests (created_at)`,
]
