import type { Db } from '../../platform/storage/tables.ts'

export type ChatBotsDb = Db<
  | 'platform_conversations'
  | 'platform_hand_overs'
  | 'platform_events'
  | 'platform_posts'
  | 'integrations'
  | 'knowledge_bases'
  | 'workspaces'
>

export interface OneConversation {
  knowledgeBaseId: string
  integrationId: string
  /** The platform's thread. */
  conversation: string
}

/** The conversation here that a thread of the platform is, if it was continued since a time. */
export async function findThreadOf(
  db: ChatBotsDb,
  of: OneConversation,
  since?: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('platform_conversations')
    .select('thread_id')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('integration_id', '=', of.integrationId)
    .where('conversation', '=', of.conversation)
    .$if(since !== undefined, (query) => query.where('updated_at', '>=', since ?? new Date(0)))
    .executeTakeFirst()
  return row?.thread_id
}

export async function saveThreadOf(
  db: ChatBotsDb,
  of: OneConversation,
  threadId: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('platform_conversations')
    .values({
      knowledge_base_id: of.knowledgeBaseId,
      integration_id: of.integrationId,
      conversation: of.conversation,
      thread_id: threadId,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'integration_id', 'conversation'])
        .doUpdateSet({ thread_id: threadId, updated_at: now }),
    )
    .execute()
}

/** Notes that a person is asked for; false if that was done before, or since then. */
export async function insertHandOver(
  db: ChatBotsDb,
  of: OneConversation,
  target: string,
  now: Date,
  since?: Date,
): Promise<boolean> {
  const result = await db
    .insertInto('platform_hand_overs')
    .values({
      knowledge_base_id: of.knowledgeBaseId,
      integration_id: of.integrationId,
      conversation: of.conversation,
      target,
      created_at: now,
    })
    .onConflict((conflict) =>
      since === undefined
        ? conflict.doNothing()
        : conflict
            .columns(['knowledge_base_id', 'integration_id', 'conversation'])
            .doUpdateSet({ target, created_at: now })
            .where('platform_hand_overs.created_at', '<', since),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** How many other conversations of the bot were passed on since a time. */
export async function countOtherHandOvers(
  db: ChatBotsDb,
  { knowledgeBaseId, integrationId, conversation }: OneConversation,
  since: Date,
): Promise<number> {
  const { many } = await db
    .selectFrom('platform_hand_overs')
    .select(({ fn }) => fn.countAll<number | string>().as('many'))
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('integration_id', '=', integrationId)
    .where('conversation', '!=', conversation)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(many)
}

/** Forgets that a person was asked for, so that one can be asked for again. */
export async function deleteHandOver(
  db: Db<'platform_hand_overs'>,
  { knowledgeBaseId, integrationId, conversation }: OneConversation,
): Promise<void> {
  await db
    .deleteFrom('platform_hand_overs')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('integration_id', '=', integrationId)
    .where('conversation', '=', conversation)
    .execute()
}

export async function deleteOldHandOvers(db: Db<'platform_hand_overs'>, before: Date): Promise<void> {
  await db.deleteFrom('platform_hand_overs').where('created_at', '<', before).execute()
}
