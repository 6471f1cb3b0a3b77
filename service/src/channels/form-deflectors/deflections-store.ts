import { baseThatKeeps } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { DeflectionsTable } from './form-deflectors-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** Includes the tables of the webhooks, because an outcome records its webhook event in the same transaction. */
export type DeflectionsDb = Db<
  | 'deflections'
  | 'form_deflectors'
  | 'knowledge_bases'
  | 'workspaces'
  | 'webhook_triggers'
  | 'webhook_deliveries'
>

export type DeflectionRow = DeflectionsTable

export async function insertDeflection(db: DeflectionsDb, deflection: DeflectionRow): Promise<void> {
  await db.insertInto('deflections').values(deflection).execute()
}

/** The deflection whose outcome a key may report; none under zero retention, which adds nothing to what was kept before it. */
export async function findDeflection(
  db: DeflectionsDb,
  of: { knowledgeBaseId: string; conversationId: string; clientKeyId: string },
): Promise<DeflectionRow | undefined> {
  return await db
    .selectFrom('deflections')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('conversation_id', '=', of.conversationId)
    .where('client_key_id', '=', of.clientKeyId)
    .where(({ exists }) => exists(baseThatKeeps(db, of.knowledgeBaseId).select('knowledge_bases.id')))
    .executeTakeFirst()
}

/**
 * Stores an outcome. False if it was the outcome already, of several concurrent reports only one gets true; and under zero retention, read in
 * the statement that writes.
 */
export async function saveOutcome(
  db: DeflectionsDb,
  of: { knowledgeBaseId: string; conversationId: string; now: Date },
  outcome: 'deflected' | 'submitted',
): Promise<boolean> {
  const changed = await db
    .updateTable('deflections')
    .set({ outcome, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('conversation_id', '=', of.conversationId)
    .where('outcome', 'is distinct from', outcome)
    .where(({ exists }) => exists(baseThatKeeps(db, of.knowledgeBaseId).select('knowledge_bases.id')))
    .returning('conversation_id')
    .executeTakeFirst()
  return changed !== undefined
}
