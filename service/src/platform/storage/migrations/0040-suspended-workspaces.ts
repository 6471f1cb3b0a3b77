export const suspendedWorkspacesMigration: readonly string[] = [
  `alter table workspaces add column suspended_at timestamptz`,
  // The bases that the suspension archived: resuming restores these, and none that was archived before.
  `alter table workspaces add column suspended_base_ids uuid[] not null default '{}'`,
]
