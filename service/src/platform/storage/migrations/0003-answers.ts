/** Conversations, ratings, and suggested questions. */
export const answersMigration: readonly string[] = [
  `create table threads (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    -- The key it was started with: no other key may continue it. Null if a member asked.
    client_key_id uuid,
    surface text not null,
    user_ref text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index threads_id on threads (id)`,
  `create table messages (
    knowledge_base_id uuid not null,
    id uuid not null,
    thread_id uuid not null,
    query text not null,
    rewritten_query text,
    answer text not null,
    citations jsonb not null,
    covered boolean not null,
    confidence real not null,
    -- Why it ended early (an error code, or cancelled by the reader); null for a complete answer.
    stopped_by text,
    trace jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, thread_id) references threads on delete cascade
  )`,
  `create index messages_id on messages (id)`,
  `create index messages_thread on messages (thread_id, created_at)`,
  `create table feedback (
    knowledge_base_id uuid not null,
    message_id uuid not null,
    id uuid not null,
    vote text not null check (vote in ('up', 'down')),
    comment text,
    source text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, message_id),
    foreign key (knowledge_base_id, message_id) references messages on delete cascade
  )`,
  `create table suggested_questions (
    knowledge_base_id uuid primary key references knowledge_bases on delete cascade,
    questions jsonb not null,
    made_at timestamptz not null
  )`,
]
