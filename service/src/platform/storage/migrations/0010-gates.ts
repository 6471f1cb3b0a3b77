/** Used CAPTCHA tokens, and MCP servers. */
export const gatesMigration: readonly string[] = [
  // Kept until a token would have expired anyway.
  `create table captcha_spent_tokens (
    token_hash text primary key,
    expires_at timestamptz not null
  )`,
  `create index captcha_spent_tokens_expires on captcha_spent_tokens (expires_at)`,
  // The secret that signs proof-of-work challenges, generated once for all processes.
  `create table captcha_secrets (
    name text primary key,
    secret text not null,
    created_at timestamptz not null
  )`,
  `create table mcp_servers (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    server_name text not null check (server_name ~ '^[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$'),
    sign_in_type text not null check (sign_in_type in ('api_key', 'public', 'internal')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index mcp_servers_id on mcp_servers (id)`,
  // A name is part of an address of this service: it is unique across all bases.
  `create unique index mcp_servers_name on mcp_servers (server_name)`,
]
