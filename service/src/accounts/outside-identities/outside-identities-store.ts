import type { Selectable } from 'kysely'
import type { OutsideIdentitiesTable } from '../../platform/storage/sign-in-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type OutsideIdentitiesDb = Db<'outside_identities' | 'users' | 'user_passwords' | 'workspace_members'>

export type OutsideIdentityRow = Selectable<OutsideIdentitiesTable>

export async function findUserOfIdentity(
  db: Db<'outside_identities'>,
  of: { issuer: string; subject: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('outside_identities')
    .select('user_id')
    .where('issuer', '=', of.issuer)
    .where('subject', '=', of.subject)
    .executeTakeFirst()
  return row?.user_id
}

/** False where this identity, or another one of this person at that provider, is linked already. */
export async function insertIdentity(
  db: Db<'outside_identities'>,
  identity: OutsideIdentityRow,
): Promise<boolean> {
  const row = await db
    .insertInto('outside_identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function listIdentitiesOf(
  db: Db<'outside_identities'>,
  userId: string,
): Promise<OutsideIdentityRow[]> {
  return await db
    .selectFrom('outside_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('issuer')
    .execute()
}

export async function deleteIdentity(db: OutsideIdentitiesDb, userId: string, issuer: string): Promise<void> {
  await db
    .deleteFrom('outside_identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .execute()
}

/** Takes away every way in through a provider that somebody has. */
export async function deleteIdentitiesOf(db: Db<'outside_identities'>, userId: string): Promise<void> {
  await db.deleteFrom('outside_identities').where('user_id', '=', userId).execute()
}

/** The member with this e-mail, and whether they have a way to sign in already; nobody else changes that until the transaction ends. */
export async function lockMemberByEmail(
  transaction: OutsideIdentitiesDb,
  email: string,
): Promise<{ userId: string; hasWayIn: boolean } | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .where((where) =>
      where.exists(
        where
          .selectFrom('workspace_members')
          .select('role')
          .whereRef('workspace_members.user_id', '=', 'users.id'),
      ),
    )
    .forUpdate()
    .executeTakeFirst()
  if (user === undefined) return undefined
  const [identities, password] = [
    await listIdentitiesOf(transaction, user.id),
    await transaction
      .selectFrom('user_passwords')
      .select('user_id')
      .where('user_id', '=', user.id)
      .executeTakeFirst(),
  ]
  return { userId: user.id, hasWayIn: identities.length > 0 || password !== undefined }
}
