import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type SampleBaseDb = Db<'knowledge_bases' | 'client_keys' | 'documents'>

/**
 * The knowledge base that the home page offers to ask: the oldest active external one with a public key that has no allowed origins, and
 * with something to answer from if any has. Undefined if there is none.
 */
export async function findSampleBase(
  db: SampleBaseDb,
): Promise<{ id: string; name: string; key: string } | undefined> {
  const found = await db
    .selectFrom('knowledge_bases as base')
    .innerJoin('client_keys as key', 'key.knowledge_base_id', 'base.id')
    .select(['base.id', 'base.name', 'key.public_key'])
    .where('base.type', '=', 'external')
    .where('base.status', '=', 'active')
    .where('key.status', '=', 'live')
    .where('key.kind', '=', 'public')
    .where(sql<boolean>`cardinality(key.allowed_origins) = 0`)
    .orderBy(
      sql`exists (select 1 from documents d where d.knowledge_base_id = base.id and d.visibility = 'public')`,
      'desc',
    )
    .orderBy('base.created_at')
    .orderBy('key.created_at')
    .limit(1)
    .executeTakeFirst()
  return found === undefined || found.public_key === null
    ? undefined
    : { id: found.id, name: found.name, key: found.public_key }
}
