import type { Selectable } from 'kysely'
import type { ExternalIdentitiesTable } from './external-identities-table.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type ExternalIdentitiesDb = Db<'outside_identities' | 'user_passwords'>

export type ExternalIdentityRow = Selectable<ExternalIdentitiesTable>

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

/** False if this identity, or another one of this person at that provider, is already linked. */
export async function insertIdentity(
  db: Db<'outside_identities'>,
  identity: ExternalIdentityRow,
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
): Promise<ExternalIdentityRow[]> {
  return await db
    .selectFrom('outside_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('issuer')
    .execute()
}

/** False if no identity at this provider was linked. */
export async function deleteIdentity(
  db: Db<'outside_identities'>,
  userId: string,
  issuer: string,
): Promise<boolean> {
  const row = await db
    .deleteFrom('outside_identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Unlinks every identity of a user. */
export async function deleteIdentitiesOf(db: Db<'outside_identities'>, userId: string): Promise<void> {
  await db.deleteFrom('outside_identities').where('user_id', '=', userId).execute()
}

/** Whether a user can sign in, with a password or through a provider. */
export async function hasSignInMethod(db: ExternalIdentitiesDb, userId: string): Promise<boolean> {
  if ((await listIdentitiesOf(db, userId)).length > 0) return true
  const password = await db
    .selectFrom('user_passwords')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return password !== undefined
}
