/** Custom answers; the origin of a document's visibility; and the documents that an answer was made from. */
export const lifeMigration: readonly string[] = [
  // Set on this document: a change of its source's visibility does not apply to it.
  `alter table documents add column is_visibility_own boolean not null default false`,
  // A custom answer is a document, with its own id, of a source of the type custom_answers: it is deleted with the document, and moves
  // with it to the source of another group.
  `create table custom_answers (
    knowledge_base_id uuid not null,
    id uuid not null,
    source_id uuid not null,
    external_id text not null check (external_id = id::text),
    question text not null,
    answer text not null,
    -- Address that a citation links to; null for the page of this service.
    url text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, source_id, external_id)
      references documents (knowledge_base_id, source_id, external_id) on update cascade on delete cascade
  )`,
  `create index custom_answers_id on custom_answers (id)`,
  `create index custom_answers_document on custom_answers (knowledge_base_id, source_id, external_id)`,
  // Documents that were part of the prompt of an answer, also through earlier turns. The answer is only shown again to callers who may
  // read all of them.
  `alter table messages add column drew_on uuid[] not null default '{}'`,
]
