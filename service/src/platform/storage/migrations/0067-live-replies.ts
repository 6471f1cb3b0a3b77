/** Answers that a chat platform shows while they are written. */
export const liveRepliesMigration: readonly string[] = [
  // What the platform calls the message that shows the answer of an event; empty: one was begun, and may be there.
  `alter table platform_events add column live_ref text`,
]
