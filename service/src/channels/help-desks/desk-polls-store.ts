import type { Db } from '../../platform/storage/tables.ts'

/** Includes the tables of what follows from a reading and an answer. */
export type HelpDesksDb = Db<
  | 'helpdesk_polls'
  | 'helpdesk_tickets'
  | 'platform_events'
  | 'platform_posts'
  | 'integrations'
  | 'knowledge_bases'
  | 'workspaces'
  | 'webhook_triggers'
  | 'webhook_deliveries'
>

interface OnePoll {
  knowledgeBaseId: string
  integrationId: string
}

/** When each integration that was read before is to be read again. */
export async function findNextReadings(db: HelpDesksDb): Promise<Map<string, Date>> {
  const rows = await db.selectFrom('helpdesk_polls').select(['integration_id', 'next_at']).execute()
  return new Map(rows.map(({ integration_id, next_at }) => [integration_id, next_at]))
}

/** Takes a reading that is due for this process, until `until`; undefined if it is not due, or another process has it. */
export async function claimPoll(
  db: HelpDesksDb,
  { knowledgeBaseId, integrationId }: OnePoll,
  { now, until }: { now: Date; until: Date },
): Promise<{ cursor: string | null; is_failing: boolean } | undefined> {
  return await db
    .insertInto('helpdesk_polls')
    .values({
      knowledge_base_id: knowledgeBaseId,
      integration_id: integrationId,
      cursor: null,
      next_at: until,
      is_failing: false,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'integration_id'])
        .doUpdateSet({ next_at: until })
        .where('helpdesk_polls.next_at', '<=', now),
    )
    .returning(['cursor', 'is_failing'])
    .executeTakeFirst()
}

export async function endPoll(
  db: HelpDesksDb,
  { knowledgeBaseId, integrationId }: OnePoll,
  given: { cursor?: string; nextAt: Date; isFailing: boolean },
): Promise<void> {
  await db
    .updateTable('helpdesk_polls')
    .set({
      ...(given.cursor !== undefined && { cursor: given.cursor }),
      next_at: given.nextAt,
      is_failing: given.isFailing,
    })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('integration_id', '=', integrationId)
    .execute()
}

/** Makes a reading due; one that a process has at the moment is read again after it. */
export async function hastenPoll(
  db: HelpDesksDb,
  { knowledgeBaseId, integrationId }: OnePoll,
  now: Date,
): Promise<void> {
  await db
    .updateTable('helpdesk_polls')
    .set({ next_at: now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('integration_id', '=', integrationId)
    .execute()
}
