/** If a passage spans several sections or pages, a citation links to the part that it cites. */
export const chunkPlacesMigration: readonly string[] = [
  `alter table chunks add column places jsonb not null default '[]'`,
]
