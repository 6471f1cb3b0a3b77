/** Accounts at other platforms that sources are read with. */
export const sourceConnectionsMigration: readonly string[] = [
  `create table source_connections (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    platform text not null,
    account text,
    -- 'pending': not allowed yet. 'broken': its tokens are no longer accepted.
    status text not null check (status in ('pending', 'connected', 'broken')),
    -- Tokens; encrypted. Null: there are none.
    sealed_tokens text,
    -- Of a connecting that was begun: what the browser comes back with, hashed; it is cleared when it does.
    state_hash text,
    sealed_verifier text,
    state_session_id uuid,
    state_until timestamptz,
    -- Who renews the tokens, until then; nobody else does.
    renewing_until timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create unique index source_connections_id on source_connections (id)`,
  `create unique index source_connections_state on source_connections (state_hash) where state_hash is not null`,
  `alter table sources add column connection_id uuid`,
  `alter table sources add constraint sources_connection foreign key (knowledge_base_id, connection_id)
    references source_connections (knowledge_base_id, id) on delete set null (connection_id)`,
  `create index sources_connection_id on sources (knowledge_base_id, connection_id) where connection_id is not null`,
]
