/** Channels in which several questions wait: those of one channel take turns with those of others. */
export const channelsOfEventsMigration: readonly string[] = [
  // Empty: it was received before, and its lane stands alone.
  `alter table platform_events add column channel text not null default ''`,
]
