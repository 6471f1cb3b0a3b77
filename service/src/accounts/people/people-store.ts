import { canonicalEmail } from '../../kernel/canonical-email.ts'
import type { Db } from '../../platform/storage/tables.ts'

type PeopleDb = Db<'users' | 'workspace_members'>

/**
 * The member with this e-mail address, regardless of case and white space; a person who is only invited does not count.
 *
 * @param given.locks in a transaction: blocks other changes of this user's sign-in methods until it ends
 */
export async function findMemberByEmail(
  db: PeopleDb,
  email: string,
  given: { locks?: boolean } = {},
): Promise<{ id: string; email: string } | undefined> {
  return await db
    .selectFrom('users')
    .select(['users.id', 'users.email'])
    .where((where) => where(where.fn('lower', ['users.email']), '=', canonicalEmail(email)))
    .where((where) =>
      where.exists(
        where
          .selectFrom('workspace_members')
          .select('role')
          .whereRef('workspace_members.user_id', '=', 'users.id'),
      ),
    )
    .$if(given.locks === true, (query) => query.forUpdate())
    .executeTakeFirst()
}

/**
 * Serializes changes of one user's sign-in methods and credentials: each sees what the previous one did. Inserts of rows that refer to
 * the user do not wait for this lock: a sign-in that holds the password row would otherwise deadlock with a change that waits for it.
 */
export async function lockPerson(transaction: Db<'users'>, userId: string): Promise<void> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
