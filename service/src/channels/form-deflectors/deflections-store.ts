import type { DeflectionsTable } from './form-deflectors-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type DeflectionsDb = Db<'deflections' | 'form_deflectors'>

export type DeflectionRow = DeflectionsTable

export async function insertDeflection(db: DeflectionsDb, deflection: DeflectionRow): Promise<void> {
  await db.insertInto('deflections').values(deflection).execute()
}

/** The deflection whose outcome a key may report. */
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
    .executeTakeFirst()
}

/** Stores an outcome. False if it was the outcome already: of several concurrent reports only one gets true. */
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
    .returning('conversation_id')
    .executeTakeFirst()
  return changed !== undefined
}
