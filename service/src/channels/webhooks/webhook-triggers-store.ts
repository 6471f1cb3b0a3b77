import type { WebhookTriggersTable } from './webhooks-tables.ts'
import type { WebhooksDb } from './webhook-deliveries-store.ts'

export type TriggerRow = WebhookTriggersTable

/** Adds a webhook unless the base has reached its maximum; returns whether it was added. */
export async function insertTrigger(db: WebhooksDb, row: TriggerRow, most: number): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    // The lock makes a concurrent insert wait: otherwise both would see the same count.
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
