/** Custom answers; whose word the visibility of a document is; and what an answer was made from. */
export const lifeMigration: readonly string[] = [
  // Said of this document alone: then a change of its source's visibility leaves it as it is.
  `alter table documents add column is_visibility_own boolean not null default false`,
  // A curated answer is a document of a source of the type custom_answers, by its own id: it goes with the document, and moves
  // with it to the source of another group.
  `create table custom_answers (
    knowledge_base_id uuid not null,
    id uuid not null,
    source_id uuid not null,
    external_id text not null check (external_id = id::text),
    question text not null,
    answer text not null,
    -- Where a citation opens; null for the page that the service has of it.
    url text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, source_id, external_id)
      references documents (knowledge_base_id, source_id, external_id) on update cascade on delete cascade
  )`,
  `create index custom_answers_id on custom_answers (id)`,
  `create index custom_answers_document on custom_answers (knowledge_base_id, source_id, external_id)`,
  // Documents that the writer of an answer was shown, also through the turns before it. The answer is repeated to those alone
  // who may read all of them.
  `alter table messages add column drew_on uuid[] not null default '{}'`,
]
