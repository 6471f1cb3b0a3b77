import type { Insertable } from 'kysely'
import type { WebhookDeliveriesTable } from './webhooks-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type WebhooksDb = Db<'webhook_triggers' | 'webhook_deliveries' | 'knowledge_bases'>

export type DeliveryRow = WebhookDeliveriesTable

/** The columns that an attempt fills in; they are null in a new delivery. */
type Outcome = 'response_status' | 'response_body' | 'error' | 'duration_ms' | 'attempted_at'

const NO_ATTEMPT: Pick<DeliveryRow, Outcome> = {
  response_status: null,
  response_body: null,
  error: null,
  duration_ms: null,
  attempted_at: null,
}

/** The live webhooks of an active base that subscribe to an event. Locks them against deletion until the transaction ends. */
export async function findSubscribers(
  transaction: WebhooksDb,
  knowledgeBaseId: string,
  event: string,
): Promise<{ id: string; origin: string }[]> {
  return await transaction
    .selectFrom('webhook_triggers')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'webhook_triggers.knowledge_base_id')
    .select(['webhook_triggers.id', 'webhook_triggers.origin'])
    .where('webhook_triggers.knowledge_base_id', '=', knowledgeBaseId)
    .where('knowledge_bases.status', '=', 'active')
    .where('webhook_triggers.gone_at', 'is', null)
    .where((row) => row(row.val(event), '=', row.fn.any('webhook_triggers.events')))
    .forKeyShare('webhook_triggers')
    .execute()
}

export async function insertDeliveries(
  db: WebhooksDb,
  rows: readonly Omit<Insertable<WebhookDeliveriesTable>, Outcome>[],
): Promise<void> {
  await db
    .insertInto('webhook_deliveries')
    .values(rows.map((row) => ({ ...NO_ATTEMPT, ...row })))
    .execute()
}

/** A delivery by its id only; the caller must check access to its base. */
export async function findDelivery(db: WebhooksDb, id: string): Promise<DeliveryRow | undefined> {
  return await db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The log of a webhook, newest first. */
export async function listDeliveries(
  db: WebhooksDb,
  of: PageRequest & { knowledgeBaseId: string; triggerId: string },
): Promise<DeliveryRow[]> {
  return await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('trigger_id', '=', of.triggerId)
    .$if(of.after !== undefined, (query) => query.where('id', '<', of.after ?? ''))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

/** The newest delivery of each of these webhooks. */
export async function findLastDeliveries(
  db: WebhooksDb,
  knowledgeBaseId: string,
  triggerIds: readonly string[],
): Promise<Map<string, DeliveryRow>> {
  if (triggerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .distinctOn('trigger_id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('trigger_id', 'in', triggerIds)
    .orderBy('trigger_id')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.trigger_id, row]))
}

/** Deletes older deliveries, except those that are still to be sent. Returns how many were deleted. */
export async function deleteOldDeliveries(db: WebhooksDb, before: Date): Promise<number> {
  const result = await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<', before)
    .where('status', 'not in', ['pending', 'sending'])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
