/** What requests with an `Idempotency-Key` were answered, for a day. */
export const idempotencyMigration: readonly string[] = [
  // `id` is a hash of the token, the address and the key: none of them stands here. The answer may hold a new secret, so it is
  // sealed; null: the first request is still under way.
  `create table idempotent_requests (
    id text primary key,
    body_hash text not null,
    sealed_answer text,
    created_at timestamptz not null
  )`,
  `create index idempotent_requests_created on idempotent_requests (created_at)`,
]
