/** What limits of this service left out of a document, a sentence for each: of its live version, and of the one that is held back. */
export const leftOutOfDocumentsMigration: readonly string[] = [
  `alter table documents add column left_out text[] not null default '{}'`,
  `alter table held_documents add column left_out text[] not null default '{}'`,
]
