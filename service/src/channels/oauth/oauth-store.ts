import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type OAuthDb = Db<'oauth_records' | 'connected_tools'>

export interface OAuthRecord {
  kind: string
  idHash: string
  sealedPayload: string
  grantHash: string | undefined
  uidHash: string | undefined
  expiresAt: Date | undefined
}

/** Times come from the database clock, which all processes share. */
const isLive = sql<boolean>`(expires_at is null or expires_at > now())`

export async function saveRecord(db: OAuthDb, record: OAuthRecord): Promise<void> {
  const values = {
    sealed_payload: record.sealedPayload,
    grant_hash: record.grantHash ?? null,
    uid_hash: record.uidHash ?? null,
    expires_at: record.expiresAt ?? null,
  }
  await db
    .insertInto('oauth_records')
    .values({ kind: record.kind, id_hash: record.idHash, consumed_at: null, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(values))
    .execute()
}

export async function findRecord(db: OAuthDb, kind: string, by: { idHash: string } | { uidHash: string }) {
  return await db
    .selectFrom('oauth_records')
    .select(['id_hash', 'sealed_payload', 'consumed_at'])
    .where('kind', '=', kind)
    .$if('idHash' in by, (query) => query.where('id_hash', '=', 'idHash' in by ? by.idHash : ''))
    .$if('uidHash' in by, (query) => query.where('uid_hash', '=', 'uidHash' in by ? by.uidHash : ''))
    .where(isLive)
    .executeTakeFirst()
}

/** False if it was used before, also by a concurrent request. */
export async function consumeRecord(db: OAuthDb, kind: string, idHash: string): Promise<boolean> {
  const row = await db
    .updateTable('oauth_records')
    .set({ consumed_at: sql<Date>`now()` })
    .where('kind', '=', kind)
    .where('id_hash', '=', idHash)
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes everything that belongs to the grant of a record: codes, tokens, and the grant itself, so that a token which is being written
 * concurrently is invalid too.
 */
export async function deleteFamilyOf(db: OAuthDb, kind: string, idHash: string): Promise<void> {
  await sql`delete from oauth_records using (
    select grant_hash from oauth_records where kind = ${kind} and id_hash = ${idHash} and grant_hash is not null
  ) as used where oauth_records.grant_hash = used.grant_hash
    or (oauth_records.kind = 'Grant' and oauth_records.id_hash = used.grant_hash)`.execute(db)
}

export async function deleteRecord(db: OAuthDb, kind: string, idHash: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('kind', '=', kind).where('id_hash', '=', idHash).execute()
}

export async function deleteOfGrant(db: OAuthDb, kind: string, grantHash: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('kind', '=', kind).where('grant_hash', '=', grantHash).execute()
}

/** Deletes at most `most` expired rows. Returns how many were deleted. */
export async function deleteExpired(db: OAuthDb, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from oauth_records where (kind, id_hash) in (
    select kind, id_hash from oauth_records where expires_at < now() limit ${most})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Keeps a client that someone has allowed. */
export async function keepClientForever(db: OAuthDb, idHash: string): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: null })
    .where('kind', '=', 'Client')
    .where('id_hash', '=', idHash)
    .execute()
}
