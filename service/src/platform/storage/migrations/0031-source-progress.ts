/** Sources that tell what changed since the last time, and who may see an item. */
export const sourceProgressMigration: readonly string[] = [
  `create table source_progress (
    knowledge_base_id uuid not null,
    source_id uuid not null,
    -- Where the next reading goes on; null: everything is read.
    cursor jsonb,
    -- What the cursor depends on: if it differs, everything is read.
    read_as text not null,
    -- External ids to be read first the next time.
    retry jsonb not null,
    -- When the source was last seen as a whole.
    whole_at timestamptz,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, source_id),
    foreign key (knowledge_base_id, source_id) references sources on delete cascade
  )`,
  // The source shows it to some people only: it does not follow the visibility of its source here.
  `alter table documents add column is_restricted_at_source boolean not null default false`,
  // The person who started it accepts that many documents are removed at once.
  `alter table syncs add column accepts_deletions boolean not null default false`,
]
