export const questionsMadeFromMigration: readonly string[] = [
  // A fingerprint of the public pages when the questions were written. If it differs, they are written again.
  `alter table suggested_questions add column made_from text not null default ''`,
]
