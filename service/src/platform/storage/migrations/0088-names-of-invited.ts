/** How a workspace calls a person whom it invited: until they join, it does not learn how others call them. */
export const namesOfInvitedMigration: readonly string[] = [
  `alter table invitations add column name text`,
  `update invitations set name = split_part(users.email, '@', 1) from users where users.id = invitations.user_id`,
  `alter table invitations alter column name set not null`,
]
