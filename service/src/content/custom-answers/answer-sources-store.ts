import { sql } from 'kysely'
import { requireSourceGroup } from '../source-groups/source-groups.ts'
import type { CustomAnswersDb } from './custom-answers-store.ts'

export interface AnswerSource {
  knowledgeBaseId: string
  /** Null for answers without a group. */
  groupId: string | null
  newId: () => string
  now: Date
}

/**
 * The source that custom answers of this group belong to, created if missing. Holds a lock, so that no other transaction creates one for
 * the same base.
 *
 * @throws Refusal BAD_REQUEST if the group is not one of this base
 */
export async function sourceOfGroup(
  transaction: CustomAnswersDb,
  { knowledgeBaseId, groupId, newId, now }: AnswerSource,
): Promise<string> {
  await sql`select pg_advisory_xact_lock(7233492, hashtext(${knowledgeBaseId}))`.execute(transaction)
  if (groupId !== null) await requireSourceGroup(transaction, knowledgeBaseId, groupId)
  const known = await transaction
    .selectFrom('sources')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('type', '=', 'custom_answers')
    .where('source_group_id', 'is not distinct from', groupId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const id = newId()
  await transaction
    .insertInto('sources')
    .values({
      knowledge_base_id: knowledgeBaseId,
      id,
      name: 'Custom answers',
      type: 'custom_answers',
      config: '{}',
      version_label: null,
      source_group_id: groupId,
      visibility: 'public',
      refresh: 'none',
      next_refresh_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}
