/** Questions of a base in a month, by the surface on which they were asked; what was counted before has none. */
export const usageBySurfaceMigration: readonly string[] = [
  `alter table question_usage add column surfaces jsonb not null default '{}'`,
]
