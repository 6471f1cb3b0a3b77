import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'

export type WidgetKeysDb = Db<'knowledge_bases' | 'client_keys' | 'widgets'>

/** How many public keys of a base are looked at, live ones first. */
const MOST_KEYS = 500

type Base = Selectable<Tables['knowledge_bases']>
type Key = Selectable<Tables['client_keys']>

/** A public key with its base. A secret pair has no public key, and is never read. */
export interface PublicKeyRow extends Pick<Key, 'public_key' | 'status' | 'allowed_origins'> {
  knowledge_base_id: string
  type: Base['type']
  base_status: Base['status']
}

/** The public keys of a base, also revoked ones: live before revoked, the oldest first. */
export async function listPublicKeys(db: WidgetKeysDb, knowledgeBaseId: string): Promise<PublicKeyRow[]> {
  return await db
    .selectFrom('client_keys as key')
    .innerJoin('knowledge_bases as base', 'base.id', 'key.knowledge_base_id')
    .select(['key.public_key', 'key.status', 'key.allowed_origins', 'key.knowledge_base_id'])
    .select(['base.type', 'base.status as base_status'])
    .where('key.knowledge_base_id', '=', knowledgeBaseId)
    .where('key.kind', '=', 'public')
    .orderBy((order) => order('key.status', '=', 'revoked'))
    .orderBy('key.created_at')
    .orderBy('key.id')
    .limit(MOST_KEYS)
    .execute()
}

/** A widget by its id alone: the id of its base comes from it. */
export async function findWidgetAnywhere(db: WidgetKeysDb, widgetId: string) {
  return await db
    .selectFrom('widgets')
    .select(['knowledge_base_id', 'enabled', 'allowed_origins'])
    .where('id', '=', widgetId)
    .executeTakeFirst()
}
