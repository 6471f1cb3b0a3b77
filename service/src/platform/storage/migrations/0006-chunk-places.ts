/** Where a passage runs over several sections or pages, a citation opens at the part that it cites. */
export const chunkPlacesMigration: readonly string[] = [
  `alter table chunks add column places jsonb not null default '[]'`,
]
