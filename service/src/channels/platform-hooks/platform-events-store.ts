import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { PlatformEventsTable } from './platform-events-table.ts'

export type PlatformEventsDb = Db<'platform_events' | 'integrations' | 'knowledge_bases' | 'workspaces'>

export type PlatformEventRow = Selectable<PlatformEventsTable>

/** An event that this process handles. */
export type ClaimedEvent = Pick<
  PlatformEventRow,
  | 'knowledge_base_id'
  | 'integration_id'
  | 'delivery_id'
  | 'lane'
  | 'channel'
  | 'sealed_body'
  | 'attempts'
  | 'live_ref'
  | 'received_at'
> & { claim: string }

/** Stores an event, unless it is a repetition. Returns whether it is new. */
export async function insertEvent(
  db: PlatformEventsDb,
  row: Omit<PlatformEventRow, 'seq'>,
): Promise<boolean> {
  const result = await db
    .insertInto('platform_events')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Waiting events that are looked at: of more, the oldest. */
const MOST_LOOKED_AT = 1_000

/** How many events of its channel are in work. */
const inWorkOfChannel = sql`(select count(*) from platform_events busy
  where busy.knowledge_base_id = event.knowledge_base_id and busy.integration_id = event.integration_id
    and busy.channel = event.channel and busy.status = 'handling')`

/** Takes the first waiting event of lanes in which nothing else is open: of channels with the fewest in work first, and so many of each. */
export async function claimEvents(
  db: PlatformEventsDb,
  given: { most: number; mostOfAChannel: number; claim: string; now: Date },
): Promise<ClaimedEvent[]> {
  // Most looks find nothing, and the other statement costs much more.
  const received = db.selectFrom('platform_events').select('delivery_id').where('status', '=', 'received')
  if ((await received.limit(1).execute()).length === 0) return []
  return await db.transaction().execute(async (transaction) => {
    const first = transaction
      .selectFrom('platform_events as event')
      .select([
        'event.knowledge_base_id',
        'event.integration_id',
        'event.delivery_id',
        'event.channel',
        'event.seq',
      ])
      .where('event.status', '=', 'received')
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('platform_events as earlier')
              .select(sql`1`.as('one'))
              .whereRef('earlier.knowledge_base_id', '=', 'event.knowledge_base_id')
              .whereRef('earlier.integration_id', '=', 'event.integration_id')
              .whereRef('earlier.lane', '=', 'event.lane')
              .whereRef('earlier.seq', '<', 'event.seq')
              .where('earlier.status', 'in', ['received', 'handling']),
          ),
        ),
      )
      .orderBy('event.seq')
      .limit(MOST_LOOKED_AT)
    const waiting = await transaction
      .with('event', () => first)
      .with('turns', (turns) =>
        turns
          .selectFrom('event')
          .select(['knowledge_base_id', 'integration_id', 'delivery_id'])
          // Before the change that names channels there was none.
          .select(
            sql<number>`case when event.channel = '' then 1 else ${inWorkOfChannel} + row_number() over (
              partition by event.knowledge_base_id, event.integration_id, event.channel order by event.seq) end`.as(
              'turn',
            ),
          ),
      )
      .selectFrom('platform_events')
      .innerJoin('turns', (join) =>
        join
          .onRef('turns.knowledge_base_id', '=', 'platform_events.knowledge_base_id')
          .onRef('turns.integration_id', '=', 'platform_events.integration_id')
          .onRef('turns.delivery_id', '=', 'platform_events.delivery_id'),
      )
      .select([
        'platform_events.knowledge_base_id',
        'platform_events.integration_id',
        'platform_events.delivery_id',
      ])
      .where('turns.turn', '<=', given.mostOfAChannel)
      // Another process may have taken it meanwhile.
      .where('platform_events.status', '=', 'received')
      .orderBy('turns.turn')
      .orderBy('platform_events.seq')
      .limit(given.most)
      .forUpdate('platform_events')
      .skipLocked()
      .execute()
    if (waiting.length === 0) return []
    const rows = await transaction
      .updateTable('platform_events')
      .set((set) => ({
        status: 'handling' as const,
        claim: given.claim,
        claimed_at: given.now,
        attempts: set('attempts', '+', 1),
        updated_at: given.now,
      }))
      .where((is) =>
        is(
          is.refTuple('knowledge_base_id', 'integration_id', 'delivery_id'),
          'in',
          waiting.map((row) => is.tuple(row.knowledge_base_id, row.integration_id, row.delivery_id)),
        ),
      )
      .returningAll()
      .execute()
    return rows.map((row) => ({ ...row, claim: given.claim }))
  })
}

/** Changes an event, if this process still has it. Returns whether it had. */
async function updateOwn(
  db: PlatformEventsDb,
  event: ClaimedEvent,
  change: Updateable<PlatformEventsTable>,
): Promise<boolean> {
  const result = await db
    .updateTable('platform_events')
    .set(change)
    .where('knowledge_base_id', '=', event.knowledge_base_id)
    .where('integration_id', '=', event.integration_id)
    .where('delivery_id', '=', event.delivery_id)
    .where('claim', '=', event.claim)
    .where('status', '=', 'handling')
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Moves an event on, if this process still has it. Returns whether it had. */
export async function settleEvent(
  db: PlatformEventsDb,
  event: ClaimedEvent,
  { status, error = null, now }: { status: 'done' | 'failed' | 'received'; error?: string | null; now: Date },
): Promise<boolean> {
  const freed = status === 'received' ? { claim: null, claimed_at: null } : { sealed_body: null }
  return await updateOwn(db, event, { status, error, updated_at: now, ...freed })
}

/** Notes what shows the answer of an event while it is written, if this process still has it. Returns whether it had. */
export async function noteLiveReply(
  db: PlatformEventsDb,
  event: ClaimedEvent,
  ref: string,
  now: Date,
): Promise<boolean> {
  return await updateOwn(db, event, { live_ref: ref, updated_at: now })
}

/** Makes events wait again whose process has died; those whose body was never stored are lost, and say so. */
export async function releaseAbandoned(db: PlatformEventsDb, claimedBefore: Date, now: Date): Promise<void> {
  const abandoned = db
    .updateTable('platform_events')
    .where('status', '=', 'handling')
    .where('claimed_at', '<=', claimedBefore)
  await abandoned
    .set({ status: 'failed', error: 'The service ended while it was handled.', updated_at: now })
    .where('sealed_body', 'is', null)
    .execute()
  await abandoned
    .set({ status: 'received', claim: null, claimed_at: null, updated_at: now })
    .where('sealed_body', 'is not', null)
    .execute()
}

export async function deleteOldEvents(db: PlatformEventsDb, before: Date): Promise<void> {
  await db
    .deleteFrom('platform_events')
    .where('received_at', '<', before)
    .where('status', 'in', ['done', 'failed'])
    .execute()
}

/** What the intake must know of the base of an integration. */
export async function readHookBase(
  db: PlatformEventsDb,
  knowledgeBaseId: string,
): Promise<{ isActive: boolean; keepsNothing: boolean }> {
  const row = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select(['knowledge_bases.status', 'workspaces.zero_data_retention'])
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return { isActive: row?.status === 'active', keepsNothing: row?.zero_data_retention ?? true }
}
