import type { Selectable } from 'kysely'
import type { WebhookDeliveriesTable, WebhookTriggersTable } from './webhooks-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import { isOfConversation, NOT_KEPT } from './of-conversation.ts'
import { withholdExcerpts } from './withhold-excerpts.ts'

/** Includes the pages of answers: what is sent is decided by who may read them then. */
export type SendQueueDb = Db<
  'webhook_triggers' | 'webhook_deliveries' | 'knowledge_bases' | 'workspaces' | 'messages' | 'documents'
>

/** A delivery that only this process may send now. */
export type ClaimedDelivery = Pick<
  Selectable<WebhookDeliveriesTable>,
  'knowledge_base_id' | 'id' | 'trigger_id' | 'message_id' | 'event' | 'body' | 'origin'
> &
  Pick<Selectable<WebhookTriggersTable>, 'url' | 'sealed_secret'>

/** Number of waiting deliveries per query. */
const BATCH_SIZE = 100

export interface ClaimGiven {
  /** Receivers without a free slot. */
  busyOrigins: readonly string[]
  /** Takes a slot for a receiver; false if none is free. */
  take: (origin: string) => boolean
  now: Date
}

/**
 * Marks deliveries as being sent, before anything is sent: after a crash the mark shows that an attempt may have been made. Deliveries of
 * an archived base, to a receiver that is gone, and about a conversation under zero retention, are cancelled instead. One that has waited goes without the excerpt of an answer that
 * used a page which has become restricted meanwhile.
 */
export async function claimDeliveries(
  db: SendQueueDb,
  { busyOrigins, take, now }: ClaimGiven,
): Promise<{ claimed: ClaimedDelivery[]; isEmpty: boolean }> {
  // Most looks find nothing, and the other statement costs much more.
  const pending = db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending')
  if ((await pending.limit(1).execute()).length === 0) return { claimed: [], isEmpty: true }
  return await db.transaction().execute(async (transaction: SendQueueDb) => {
    const waiting = await transaction
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_triggers', withinBase('webhook_triggers.id', 'webhook_deliveries.trigger_id'))
      .innerJoin('knowledge_bases', 'knowledge_bases.id', 'webhook_deliveries.knowledge_base_id')
      .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
      .selectAll('webhook_deliveries')
      .select(['webhook_triggers.url', 'webhook_triggers.sealed_secret', 'webhook_triggers.gone_at'])
      .select(['knowledge_bases.status as base_status', 'workspaces.zero_data_retention as keeps_nothing'])
      .where('webhook_deliveries.status', '=', 'pending')
      .$if(busyOrigins.length > 0, (query) =>
        query.where('webhook_deliveries.origin', 'not in', [...busyOrigins]),
      )
      .orderBy('webhook_deliveries.id')
      .limit(BATCH_SIZE)
      .forUpdate('webhook_deliveries')
      .skipLocked()
      .execute()
    const refusalOf = (row: (typeof waiting)[number]): string | undefined => {
      if (row.base_status === 'archived') return 'The knowledge base was archived.'
      // It was recorded before zero retention was switched on.
      if (row.keeps_nothing && isOfConversation(row.event)) return NOT_KEPT
      // A manual redelivery may find out whether the receiver is back.
      if (row.gone_at !== null && row.redelivery_of === null) return 'The receiver is gone (410).'
      return undefined
    }
    for (const row of waiting) {
      const error = refusalOf(row)
      if (error !== undefined) await mark(transaction, [row], { status: 'cancelled', error, updated_at: now })
    }
    const claimed = waiting.filter((row) => refusalOf(row) === undefined && take(row.origin))
    await mark(transaction, claimed, { status: 'sending', attempted_at: now, updated_at: now })
    return { claimed: await withholdExcerpts(transaction, claimed), isEmpty: waiting.length === 0 }
  })
}

async function mark(
  transaction: SendQueueDb,
  rows: readonly { knowledge_base_id: string; id: string }[],
  changes: Partial<Pick<WebhookDeliveriesTable, 'status' | 'error' | 'attempted_at' | 'updated_at'>>,
): Promise<void> {
  if (rows.length === 0) return
  await transaction
    .updateTable('webhook_deliveries')
    .set(changes)
    .where((row) =>
      row(
        row.refTuple('knowledge_base_id', 'id'),
        'in',
        rows.map(({ knowledge_base_id, id }) => row.tuple(knowledge_base_id, id)),
      ),
    )
    .execute()
}

/** The outcome of an attempt. */
export type AttemptOutcome = Pick<
  WebhookDeliveriesTable,
  'status' | 'response_status' | 'response_body' | 'error' | 'duration_ms'
>

/** Stores the outcome of an attempt. A receiver that answers 410 gets nothing more; one that accepts a delivery is live again. */
export async function finishDelivery(
  db: SendQueueDb,
  { knowledge_base_id, id, trigger_id }: ClaimedDelivery,
  outcome: AttemptOutcome,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('webhook_deliveries')
      .set({ ...outcome, updated_at: now })
      .where('knowledge_base_id', '=', knowledge_base_id)
      .where('id', '=', id)
      .execute()
    const isGone = outcome.response_status === 410
    if (!isGone && outcome.status !== 'delivered') return
    await transaction
      .updateTable('webhook_triggers')
      .set({ gone_at: isGone ? now : null, updated_at: now })
      .where('knowledge_base_id', '=', knowledge_base_id)
      .where('id', '=', trigger_id)
      .where('gone_at', isGone ? 'is' : 'is not', null)
      .execute()
  })
}

/**
 * Gives up on attempts that began before a time and have no outcome: their process died. It is unknown whether they arrived, so they are
 * not sent again. Returns how many there were.
 */
export async function markLostAsUnknown(db: SendQueueDb, begunBefore: Date, now: Date): Promise<number> {
  const result = await db
    .updateTable('webhook_deliveries')
    .set({
      status: 'unknown',
      error: 'The service ended while this was being sent: it may have arrived.',
      updated_at: now,
    })
    .where('status', '=', 'sending')
    .where('attempted_at', '<=', begunBefore)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Cancels deliveries that have waited since before a time behind others to the same receiver. */
export async function cancelStale(db: SendQueueDb, recordedBefore: Date, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: 'cancelled',
      error: 'It waited too long behind other deliveries to this receiver.',
      updated_at: now,
    })
    .where('status', '=', 'pending')
    .where('created_at', '<', recordedBefore)
    .execute()
}
