/** Whether the language of a base was found out from its pages: one that an owner chose is never changed. */
export const foundLanguagesMigration: readonly string[] = [
  `alter table knowledge_bases add column is_language_found boolean not null default false`,
]
