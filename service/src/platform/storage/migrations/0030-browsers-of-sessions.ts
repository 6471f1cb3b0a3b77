export const browsersOfSessionsMigration: readonly string[] = [
  // Such as "Firefox on Linux": words of ours, not the header. Null for sessions that began before, and for unknown browsers.
  `alter table browser_sessions add column browser text`,
]
