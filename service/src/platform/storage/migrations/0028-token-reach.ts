/**
 * A token is a person's, and reaches every workspace that they are in: the owner of one of these shuts it out there, and changes
 * nothing elsewhere.
 */
export const tokenReachMigration = [
  `create table access_token_exclusions (
    token_id uuid not null references access_tokens (id) on delete cascade,
    workspace_id uuid not null references workspaces (id) on delete cascade,
    created_at timestamptz not null,
    primary key (token_id, workspace_id)
  )`,
  'create index access_token_exclusions_workspace on access_token_exclusions (workspace_id)',
]
