/** Sign-in of members: their passwords, external identities and browser sessions. */
export const signInMigration: readonly string[] = [
  `create table user_passwords (
    user_id uuid primary key references users on delete cascade,
    -- Argon2id, in the PHC string format: with its parameters, so that they can be raised.
    hash text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // Links for setting a password, created by the operator.
  `create table password_links (
    code_hash text primary key,
    user_id uuid not null references users on delete cascade,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create index password_links_user on password_links (user_id)`,
  // An identity at a provider belongs to one account here; an account has one identity per provider.
  `create table outside_identities (
    issuer text not null,
    subject text not null,
    user_id uuid not null references users on delete cascade,
    email text,
    created_at timestamptz not null,
    primary key (issuer, subject),
    unique (user_id, issuer)
  )`,
  // Only a hash of the browser's secret: a copy of this table does not allow anyone to sign in.
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
