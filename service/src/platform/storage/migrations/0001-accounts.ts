/** Workspaces, their members, tokens, and the knowledge bases with their keys and widgets. */
export const accountsMigration: readonly string[] = [
  `create table workspaces (
    id uuid primary key,
    name text not null,
    plan text not null check (plan in ('free', 'pro', 'enterprise')),
    zero_data_retention boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table users (
    id uuid primary key,
    email text not null,
    name text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create unique index users_email on users (lower(email))`,
  `create table workspace_members (
    workspace_id uuid not null references workspaces on delete cascade,
    user_id uuid not null references users on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz not null,
    primary key (workspace_id, user_id)
  )`,
  `create table access_tokens (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    token_hash text not null unique,
    token_start text not null,
    scopes text[] not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // A one-time link printed on the first start: opening it gives the owner's first access token.
  `create table setup_codes (
    code_hash text primary key,
    user_id uuid not null references users on delete cascade,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create table knowledge_bases (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    name text not null,
    description text,
    type text not null check (type in ('external', 'internal')),
    status text not null check (status in ('active', 'archived')),
    language text,
    respect_robots_txt boolean not null,
    settings jsonb not null,
    starter_questions jsonb not null,
    scheduled_crawling text check (scheduled_crawling in ('hourly', 'daily', 'weekly', 'monthly')),
    persona text,
    tone text,
    standing_instructions text,
    pii_masking jsonb not null,
    workspace_members_can_chat boolean not null,
    -- When scheduled_crawling next syncs every source, in addition to the sources' own refresh.
    next_crawl_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index knowledge_bases_workspace on knowledge_bases (workspace_id, id)`,
  `create index knowledge_bases_next_crawl on knowledge_bases (next_crawl_at) where next_crawl_at is not null`,
  `create table client_keys (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    kind text not null check (kind in ('public', 'secret')),
    public_key text,
    client_id text,
    secret_hash text,
    allow_mcp_access boolean not null,
    allowed_origins text[] not null,
    allowed_source_group_ids uuid[] not null,
    status text not null check (status in ('live', 'revoked')),
    last_used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index client_keys_id on client_keys (id)`,
  `create unique index client_keys_public_key on client_keys (public_key)`,
  `create unique index client_keys_client_id on client_keys (client_id)`,
  `create table widgets (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    enabled boolean not null,
    allowed_origins text[] not null,
    config jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index widgets_id on widgets (id)`,
]
