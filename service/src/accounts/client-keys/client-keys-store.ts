import type { ClientKeyChange } from '@citewell/contract/client-keys'
import type { Selectable } from 'kysely'
import type { ClientKeysTable } from './client-keys-table.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import { QUESTION_COLUMNS, type QuestionSettingsRow } from '../knowledge-bases/knowledge-bases.ts'

export type ClientKeysDb = Db<'client_keys' | 'knowledge_bases' | 'workspaces' | ActivityTables>

export type ClientKeyRow = Selectable<ClientKeysTable>

/** What is read of a base together with a key that opens it. */
export interface KeyedBase
  extends
    QuestionSettingsRow,
    Pick<
      Selectable<Tables['knowledge_bases']>,
      | 'id'
      | 'name'
      | 'type'
      | 'status'
      | 'language'
      | 'persona'
      | 'tone'
      | 'standing_instructions'
      | 'settings'
    > {}

export async function insertClientKey(db: Db<'client_keys'>, key: ClientKeyRow): Promise<void> {
  await db.insertInto('client_keys').values(key).execute()
}

export async function hasLiveKey(db: Db<'client_keys'>, knowledgeBaseId: string): Promise<boolean> {
  const found = await db
    .selectFrom('client_keys')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('status', '=', 'live')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Changes a live key; undefined when it was revoked. */
export async function updateClientKey(
  db: ClientKeysDb,
  of: { knowledgeBaseId: string; keyId: string; now: Date },
  changes: ClientKeyChange,
): Promise<ClientKeyRow | undefined> {
  return await db
    .updateTable('client_keys')
    .set({ ...changes, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.keyId)
    .where('status', '=', 'live')
    .returningAll()
    .executeTakeFirst()
}

export async function revokeClientKey(
  db: ClientKeysDb,
  of: { knowledgeBaseId: string; keyId: string; now: Date },
): Promise<ClientKeyRow | undefined> {
  return await db
    .updateTable('client_keys')
    .set({ status: 'revoked', updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.keyId)
    .where('status', '=', 'live')
    .returningAll()
    .executeTakeFirst()
}

/** Revokes every live key of a base, when the base becomes internal. */
export async function revokeClientKeys(
  db: Db<'client_keys'>,
  knowledgeBaseId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('client_keys')
    .set({ status: 'revoked', updated_at: now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('status', '=', 'live')
    .execute()
}

/**
 * A key, also a revoked one, by what a client sends, with the type of its base. It runs before every public request; the id of the
 * base comes from the key.
 */
export async function findClientKey(
  db: ClientKeysDb,
  by: { column: 'public_key' | 'client_id'; value: string },
): Promise<{ key: ClientKeyRow; base: KeyedBase } | undefined> {
  const row = await db
    .selectFrom('client_keys')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'client_keys.knowledge_base_id')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .selectAll('client_keys')
    .select(QUESTION_COLUMNS)
    .select([
      'knowledge_bases.name as base_name',
      'knowledge_bases.type as base_type',
      'knowledge_bases.status as base_status',
      'knowledge_bases.language',
      'knowledge_bases.persona',
      'knowledge_bases.tone',
      'knowledge_bases.standing_instructions',
      'knowledge_bases.settings',
    ])
    .where(`client_keys.${by.column}`, '=', by.value)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const {
    base_name: name,
    base_type: type,
    base_status: status,
    language,
    persona,
    tone,
    standing_instructions,
    settings,
    workspace_id,
    pii_masking,
    zero_data_retention,
    llm_base_url,
    llm_model,
    llm_sealed_api_key,
    llm_api_key_end,
    ...key
  } = row
  const llm = { llm_base_url, llm_model, llm_sealed_api_key, llm_api_key_end }
  const ofQuestions = { workspace_id, pii_masking, zero_data_retention, ...llm }
  const style = { language, persona, tone, standing_instructions, settings }
  return { key, base: { id: key.knowledge_base_id, name, type, status, ...style, ...ofQuestions } }
}
