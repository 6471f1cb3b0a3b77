import type { WebhookTriggersTable } from '../../platform/storage/integrations-tables.ts'
import type { WebhooksDb } from './webhook-deliveries-store.ts'

export type TriggerRow = WebhookTriggersTable

/** Adds a webhook, unless the base has as many as it may; returns whether it did. */
export async function insertTrigger(db: WebhooksDb, row: TriggerRow, most: number): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    // Two at once would both count the same number: the second waits for the first here.
    await transaction
      .selectFrom('knowledge_bases')
      .select('id')
      .where('id', '=', row.knowledge_base_id)
      .forNoKeyUpdate()
      .execute()
    const { count } = await transaction
      .selectFrom('webhook_triggers')
      .select((counted) => counted.fn.countAll<string>().as('count'))
      .where('knowledge_base_id', '=', row.knowledge_base_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return false
    await transaction.insertInto('webhook_triggers').values(row).execute()
    return true
  })
}

/** The base that a webhook belongs to, before it is known whether the caller may see it. */
export async function findBaseOfTrigger(db: WebhooksDb, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_triggers')
    .select('knowledge_base_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.knowledge_base_id
}

export async function listTriggers(
  db: WebhooksDb,
  of: { knowledgeBaseId: string; after: string | undefined; limit: number },
): Promise<TriggerRow[]> {
  return await db
    .selectFrom('webhook_triggers')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

export async function deleteTrigger(db: WebhooksDb, knowledgeBaseId: string, id: string): Promise<void> {
  await db
    .deleteFrom('webhook_triggers')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}
