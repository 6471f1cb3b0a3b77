import type { Db } from '../../platform/storage/tables.ts'

export type PeopleDb = Db<'users' | 'workspace_members'>

/**
 * An e-mail address as people are found and counted by: two that are typed differently and mean one account are one text.
 *
 * @example
 * canonicalEmail(' Grace@Example.com\t') // 'grace@example.com'
 */
export const canonicalEmail = (typed: string): string => typed.trim().toLowerCase()

/**
 * The member with this e-mail address, however it is typed; somebody who is only invited is none.
 *
 * @param given.locks in a transaction: nobody else changes how this person gets in until it ends
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
 * Makes those who change how one person gets in take turns: what the first one did is seen by the next. Rows that only refer to the
 * person do not wait: a sign-in that holds the password would otherwise wait for whoever waits for it.
 */
export async function lockPerson(transaction: Db<'users'>, userId: string): Promise<void> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}
