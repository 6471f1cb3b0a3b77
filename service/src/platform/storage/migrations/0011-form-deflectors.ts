/** Support forms that offer an answer, and the outcome of each use. */
export const formDeflectorsMigration: readonly string[] = [
  `create table form_deflectors (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    enabled boolean not null,
    min_characters integer not null,
    min_confidence real not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index form_deflectors_id on form_deflectors (id)`,
  `create table deflections (
    knowledge_base_id uuid not null,
    -- The thread that the form started.
    conversation_id uuid not null,
    -- Null if the request named no form. A deleted form keeps its figures.
    form_deflector_id uuid,
    -- The key of the question: no other key may report the outcome.
    client_key_id uuid not null,
    answered boolean not null,
    confidence real not null,
    -- Null until the reader has reported it, or if they left without doing so.
    outcome text check (outcome in ('deflected', 'submitted')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, conversation_id),
    foreign key (knowledge_base_id, conversation_id) references threads on delete cascade
  )`,
]
