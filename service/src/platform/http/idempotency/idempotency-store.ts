import type { IdempotentRequestsTable } from './idempotent-requests-table.ts'
import type { Db } from '../../storage/tables.ts'

export type IdempotencyDb = Db<'idempotent_requests'>

export interface Claim {
  id: string
  bodyHash: string
  now: Date
  /** Records older than this have expired. */
  forgottenBefore: Date
}

/** Claims a key. True for the first request that claims it, else false. */
export async function claimKey(db: IdempotencyDb, claim: Claim): Promise<boolean> {
  const { id, bodyHash, now, forgottenBefore } = claim
  await db.deleteFrom('idempotent_requests').where('created_at', '<', forgottenBefore).execute()
  const claimed = await db
    .insertInto('idempotent_requests')
    .values({ id, body_hash: bodyHash, sealed_answer: null, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return claimed.length === 1
}

export async function findRequest(
  db: IdempotencyDb,
  id: string,
): Promise<IdempotentRequestsTable | undefined> {
  return await db.selectFrom('idempotent_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function storeResponse(db: IdempotencyDb, id: string, sealedAnswer: string): Promise<void> {
  await db
    .updateTable('idempotent_requests')
    .set({ sealed_answer: sealedAnswer })
    .where('id', '=', id)
    .execute()
}

/** A refused request did nothing, so the same key may be used again. */
export async function forgetRequest(db: IdempotencyDb, id: string): Promise<void> {
  await db.deleteFrom('idempotent_requests').where('id', '=', id).execute()
}
