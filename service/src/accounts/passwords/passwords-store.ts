import type { Db } from '../../platform/storage/tables.ts'
import { canonicalEmail } from '../../kernel/canonical-email.ts'

export type PasswordsDb = Db<'users' | 'user_passwords' | 'password_links'>

/** The user with this e-mail, regardless of case and white space, and their password hash; undefined if there is no user or no password. */
export async function findPasswordOf(
  db: PasswordsDb,
  email: string,
): Promise<{ userId: string; hash: string } | undefined> {
  return await db
    .selectFrom('user_passwords as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['u.id as userId', 'p.hash'])
    .where((where) => where(where.fn('lower', ['u.email']), '=', canonicalEmail(email)))
    .executeTakeFirst()
}

export async function findPasswordOfUser(db: PasswordsDb, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_passwords')
    .select('hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.hash
}

/** The user and the time of the last password change; rehashing the same password at another cost does not change it. */
export async function findStamp(
  db: PasswordsDb,
  of: { userId: string } | { email: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_passwords as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.user_id as userId', 'p.updated_at as since'])
    .where((where) =>
      'userId' in of
        ? where('p.user_id', '=', of.userId)
        : where(where.fn('lower', ['u.email']), '=', canonicalEmail(of.email)),
    )
    .executeTakeFirst()
  return row && `${row.userId} ${row.since.getTime()}`
}

export async function putPassword(
  db: Db<'user_passwords'>,
  { userId, hash, now }: { userId: string; hash: string; now: Date },
): Promise<void> {
  await db
    .insertInto('user_passwords')
    .values({ user_id: userId, hash, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, updated_at: now }))
    .execute()
}

/** Replaces the hash of the same password by one of another cost, unless the password was changed meanwhile. */
export async function replaceHash(
  db: PasswordsDb,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  await db
    .updateTable('user_passwords')
    .set({ hash: to })
    .where('user_id', '=', userId)
    .where('hash', '=', from)
    .execute()
}

/** Deletes a user's password, and their links for setting one. */
export async function deletePasswordOf(
  db: Db<'user_passwords' | 'password_links'>,
  userId: string,
): Promise<void> {
  await db.deleteFrom('user_passwords').where('user_id', '=', userId).execute()
  await deletePasswordLinksOf(db, userId)
}

export async function deletePasswordLinksOf(db: Db<'password_links'>, userId: string): Promise<void> {
  await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
}

/** Writes a link and replaces the previous ones. */
export async function putPasswordLink(
  transaction: PasswordsDb,
  link: { code_hash: string; user_id: string; expires_at: Date; created_at: Date },
): Promise<void> {
  await deletePasswordLinksOf(transaction, link.user_id)
  await transaction.insertInto('password_links').values(link).execute()
}

export async function findPasswordLink(
  db: PasswordsDb,
  codeHash: string,
  now: Date,
): Promise<{ userId: string; email: string } | undefined> {
  return await db
    .selectFrom('password_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.email'])
    .where('l.code_hash', '=', codeHash)
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses up a link. Of two concurrent attempts, one gets it. */
export async function consumePasswordLink(
  transaction: PasswordsDb,
  codeHash: string,
  now: Date,
): Promise<string | undefined> {
  const row = await transaction
    .deleteFrom('password_links')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}
