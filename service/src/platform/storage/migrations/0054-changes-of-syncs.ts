/** What each sync changed, and syncs that read single addresses again. */
export const changesOfSyncsMigration: readonly string[] = [
  `create table sync_changes (
    knowledge_base_id uuid not null,
    sync_id uuid not null,
    ordinal integer not null,
    kind text not null check (kind in ('added', 'changed', 'removed')),
    title text not null,
    url text not null,
    primary key (knowledge_base_id, sync_id, ordinal),
    foreign key (knowledge_base_id, sync_id) references syncs on delete cascade
  )`,
  // Null: it reads the whole source.
  `alter table syncs add column only_addresses jsonb`,
]
