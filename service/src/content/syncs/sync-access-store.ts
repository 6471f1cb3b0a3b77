import type { Db } from '../../platform/storage/tables.ts'

/** The base that a sync belongs to, before it is known whether the caller may see it. */
export async function findBaseOfSync(db: Db<'syncs'>, syncId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('syncs')
    .select('knowledge_base_id')
    .where('id', '=', syncId)
    .executeTakeFirst()
  return row?.knowledge_base_id
}
