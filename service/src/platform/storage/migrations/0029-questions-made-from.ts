export const questionsMadeFromMigration: readonly string[] = [
  // What the public pages were when the questions were written. Others than then: they are written anew, whoever changed the pages.
  `alter table suggested_questions add column made_from text not null default ''`,
]
