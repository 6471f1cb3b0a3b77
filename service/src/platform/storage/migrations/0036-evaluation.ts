/** The questions with which a team measures its base, and the runs of them. */
export const evaluationMigration: readonly string[] = [
  `create table evaluation_questions (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    question text not null,
    -- Addresses of the pages that answer it.
    urls jsonb not null,
    answerable boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index evaluation_questions_id on evaluation_questions (id)`,
  `create table evaluations (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    -- Whether its questions search restricted pages too: those of an internal base, started by somebody who may chat in it.
    include_restricted boolean not null,
    total integer not null,
    error text,
    lease uuid,
    started_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index evaluations_id on evaluations (id)`,
  // A base has one run at a time.
  `create unique index evaluations_running on evaluations (knowledge_base_id) where status in ('queued', 'running')`,
  // A copy of each question as it was when the run began, with what came out. Answers are not kept.
  `create table evaluation_results (
    knowledge_base_id uuid not null,
    evaluation_id uuid not null,
    ordinal integer not null,
    question text not null,
    urls jsonb not null,
    answerable boolean not null,
    outcome text check (outcome in ('answered', 'refused', 'failed')),
    -- Place of the first page that answers, among the first ten.
    rank integer,
    cited boolean,
    -- The first pages that were found.
    found jsonb not null,
    primary key (knowledge_base_id, evaluation_id, ordinal),
    foreign key (knowledge_base_id, evaluation_id) references evaluations on delete cascade
  )`,
]
