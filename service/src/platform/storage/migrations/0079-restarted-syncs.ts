/** Syncs that go on after restarts, and what their limits left out. */
export const restartedSyncsMigration: readonly string[] = [
  // How often it was begun. `attempts` counts those since it last got on.
  `alter table syncs add column starts integer not null default 0`,
  // What a limit of this service left out: sentences for the owner.
  `alter table syncs add column warnings jsonb not null default '[]'`,
]
