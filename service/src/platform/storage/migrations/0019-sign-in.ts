/** How people sign in here: their passwords, the providers that they are known at, and the browsers that are signed in. */
export const signInMigration: readonly string[] = [
  `create table user_passwords (
    user_id uuid primary key references users on delete cascade,
    -- Argon2id, in the PHC form: with its parameters, so that they can be raised.
    hash text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // Links with which somebody sets a password, made by whoever operates the instance.
  `create table password_links (
    code_hash text primary key,
    user_id uuid not null references users on delete cascade,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create index password_links_user on password_links (user_id)`,
  // A person at a provider is one account here; a person here has one account at each provider.
  `create table outside_identities (
    issuer text not null,
    subject text not null,
    user_id uuid not null references users on delete cascade,
    email text,
    created_at timestamptz not null,
    primary key (issuer, subject),
    unique (user_id, issuer)
  )`,
  // Only a hash of what the browser holds: nobody signs in with a copy of this table.
  `create table browser_sessions (
    id uuid primary key,
    token_hash text not null unique,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null,
    last_seen_at timestamptz not null
  )`,
  `create index browser_sessions_user on browser_sessions (user_id)`,
  `create index browser_sessions_seen on browser_sessions (last_seen_at)`,
]
