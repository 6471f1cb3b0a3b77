/** The activity log, invitations, grants of members, and tokens of the operator. */
export const peopleMigration: readonly string[] = [
  // No foreign keys: entries stay when the base, the person or the token is deleted.
  `create table activity_log (
    workspace_id uuid not null,
    sequence bigint not null,
    id uuid not null,
    knowledge_base_id uuid,
    actor_user_id uuid,
    actor_token_id uuid,
    actor_system text,
    action text not null,
    target_type text not null,
    target_id text not null,
    target_name text,
    details jsonb not null,
    at timestamptz not null,
    -- SHA-256 of the hash of the previous entry and this entry as canonical JSON, in hex.
    hash text not null,
    primary key (workspace_id, sequence),
    check ((actor_user_id is null) <> (actor_system is null))
  )`,
  `create unique index activity_log_id on activity_log (workspace_id, id)`,
  `create index activity_log_base on activity_log (workspace_id, knowledge_base_id, sequence)`,
  // The end of each workspace's hash chain: locked by each append, and evidence if the last entries are removed.
  `create table activity_heads (
    workspace_id uuid primary key,
    sequence bigint not null,
    hash text not null
  )`,
  `create function refuse_activity_change() returns trigger language plpgsql as $$
    begin
      raise exception 'The activity log is only ever appended to.' using errcode = 'restrict_violation';
    end
  $$`,
  `create trigger activity_log_is_append_only before update or delete on activity_log
    for each row execute function refuse_activity_change()`,
  `create trigger activity_log_is_not_emptied before truncate on activity_log
    for each statement execute function refuse_activity_change()`,
  // An open invitation. The person is not a member yet, so that no one is added to a workspace without consent. Their link works once.
  `create table invitations (
    workspace_id uuid not null references workspaces on delete cascade,
    user_id uuid not null references users on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    code_hash text not null unique,
    invited_by uuid not null,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (workspace_id, user_id)
  )`,
  `create index invitations_user on invitations (user_id)`,
  `alter table workspace_members add column updated_at timestamptz`,
  `update workspace_members set updated_at = created_at`,
  `alter table workspace_members alter column updated_at set not null,
    alter column updated_at set default now()`,
  `create index workspace_members_user on workspace_members (user_id)`,
  // Deleted with the membership: a person who returns starts without grants.
  `create table knowledge_base_grants (
    workspace_id uuid not null,
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    user_id uuid not null,
    permissions text[] not null check (permissions <@ array['config', 'chat'] and cardinality(permissions) > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, user_id),
    foreign key (workspace_id, user_id) references workspace_members on delete cascade
  )`,
  `create index knowledge_base_grants_member on knowledge_base_grants (workspace_id, user_id)`,
  // Created on the machine itself, or set in its environment: operators may set the quotas of a workspace.
  `alter table access_tokens add column is_operator boolean not null default false`,
  `update access_tokens set is_operator = true where name in ('Bootstrap', 'Command line')`,
]
