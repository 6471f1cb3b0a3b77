/** Columns and indexes for finding conversations, and for counting and grouping answers. */
export const analyticsMigration: readonly string[] = [
  `alter table messages
    -- Milliseconds from the question to the first piece of the answer, and to its end; null if that was never reached.
    add column first_ms real,
    add column total_ms real,
    -- Analysed words of question and answer, for the filter by text.
    add column terms text[] not null default '{}'`,
  `create index messages_terms on messages using gin (terms)`,
  `create index messages_created on messages (knowledge_base_id, created_at)`,
  // The order of the list, also used by its cursor.
  `create index threads_created on threads (knowledge_base_id, created_at desc, id desc)`,
  // The embedding of a question by a model: a cache, which is filled again when an entry is missing.
  `create table question_vectors (
    knowledge_base_id uuid not null,
    message_id uuid not null,
    embedding_key text not null,
    -- One byte per axis.
    vector bytea not null,
    primary key (knowledge_base_id, message_id),
    foreign key (knowledge_base_id, message_id) references messages on delete cascade
  )`,
]
