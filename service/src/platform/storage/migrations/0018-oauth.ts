/**
 * Records of the authorization server: sessions, codes, tokens, grants, registered clients. Ids are hashed, payloads encrypted: neither
 * a dump nor a backup contains a usable token.
 */
export const oauthMigration: readonly string[] = [
  `create table oauth_records (
    kind text not null,
    id_hash text not null,
    sealed_payload text not null,
    -- The grant it belongs to: revoking the grant ends all its tokens.
    grant_hash text,
    uid_hash text,
    consumed_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (kind, id_hash)
  )`,
  `create index oauth_records_grant on oauth_records (grant_hash) where grant_hash is not null`,
  `create index oauth_records_uid on oauth_records (kind, uid_hash) where uid_hash is not null`,
  `create index oauth_records_expiry on oauth_records (expires_at) where expires_at is not null`,
  // Which AI tool a person allowed to read which server, so that they can see and revoke it. A token is valid while its row exists: a
  // server that is created again under a freed name is a different one.
  `create table connected_tools (
    account_id text not null,
    grant_hash text not null,
    server_id uuid not null,
    client_name text not null,
    redirect_host text not null,
    resource text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    primary key (grant_hash, server_id)
  )`,
  `create index connected_tools_account on connected_tools (account_id)`,
]
