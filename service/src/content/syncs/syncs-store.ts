import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { storableJson, storableText } from '../../kernel/storable-text.ts'
import { forgetOldSyncs } from './forget-old-syncs-store.ts'
import { selectSyncs, type StoredSync, type SyncRow } from './select-syncs-store.ts'
import type { SyncsDb } from './syncs-db.ts'
import type { SyncNotes } from './sync-notes-store.ts'
import type { SyncCounts } from './syncs-tables.ts'

export type { SyncsDb } from './syncs-db.ts'
export type { SyncRow } from './select-syncs-store.ts'

export const NO_COUNTS: SyncCounts = {
  discovered: 0,
  fetched: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  failed: 0,
}

/** Queues a sync. Undefined if a sync of the source is already queued or running. */
export async function insertSync(
  db: SyncsDb,
  sync: {
    knowledgeBaseId: string
    id: string
    sourceId: string
    acceptsDeletions: boolean
    onlyAddresses: readonly string[] | undefined
    now: Date
  },
): Promise<StoredSync | undefined> {
  return await db
    .insertInto('syncs')
    .values({
      knowledge_base_id: sync.knowledgeBaseId,
      id: sync.id,
      source_id: sync.sourceId,
      status: 'queued',
      accepts_deletions: sync.acceptsDeletions,
      only_addresses: sync.onlyAddresses === undefined ? null : JSON.stringify(sync.onlyAddresses),
      counts: JSON.stringify(NO_COUNTS),
      error: null,
      warnings: '[]',
      lease: null,
      heartbeat_at: null,
      started_at: null,
      finished_at: null,
      created_at: sync.now,
      updated_at: sync.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['knowledge_base_id', 'source_id'])
        .where('status', 'in', ['queued', 'running'])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Lets a sync that has not ended remove many documents at once. */
export async function acceptDeletions(db: SyncsDb, knowledgeBaseId: string, syncId: string): Promise<void> {
  await db
    .updateTable('syncs')
    .set({ accepts_deletions: true })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', syncId)
    .execute()
}

/** Makes a sync that was to read some addresses read the whole source. Undefined if it no longer waits. */
export async function makeWhole(
  db: SyncsDb,
  of: { knowledgeBaseId: string; syncId: string; now: Date },
): Promise<SyncRow | undefined> {
  return await db
    .updateTable('syncs')
    .set({ only_addresses: null, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.syncId)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
}

/** Whether the person who started the sync accepts that it removes many documents at once. */
export async function areDeletionsAccepted(
  db: SyncsDb,
  of: { knowledgeBaseId: string; syncId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('syncs')
    .select('accepts_deletions')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.syncId)
    .executeTakeFirst()
  return row?.accepts_deletions === true
}

export async function findUnfinished(
  db: SyncsDb,
  knowledgeBaseId: string,
  sourceId: string,
): Promise<StoredSync | undefined> {
  return await db
    .selectFrom('syncs')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('source_id', '=', sourceId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
}

export async function findSync(
  db: SyncsDb,
  knowledgeBaseId: string,
  syncId: string,
): Promise<SyncRow | undefined> {
  return await selectSyncs(db)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', syncId)
    .executeTakeFirst()
}

/** Writes progress. Returns whether this worker still holds the sync, and whether cancellation was requested. */
export async function writeHeartbeat(
  db: SyncsDb,
  held: { knowledgeBaseId: string; syncId: string; lease: string; counts: SyncCounts; now: Date },
): Promise<'goes-on' | 'cancel' | 'lost'> {
  const row = await db
    .updateTable('syncs')
    .set({
      counts: JSON.stringify(held.counts),
      heartbeat_at: sql<Date>`clock_timestamp()`,
      updated_at: held.now,
    })
    .where('knowledge_base_id', '=', held.knowledgeBaseId)
    .where('id', '=', held.syncId)
    .where('lease', '=', held.lease)
    .where('status', '=', 'running')
    .returning('cancel_requested')
    .executeTakeFirst()
  if (row === undefined) return 'lost'
  return row.cancel_requested ? 'cancel' : 'goes-on'
}

/** Ends a sync that this worker holds, with its errors and its changes by page. Forgets those of old syncs of its source. */
export async function finishSync(
  db: SyncsDb,
  finished: {
    knowledgeBaseId: string
    syncId: string
    lease: string
    status: 'succeeded' | 'partial' | 'failed' | 'cancelled'
    counts: SyncCounts
    error: string | undefined
    warnings: readonly string[]
    now: Date
  } & SyncNotes,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('syncs')
      .set({
        status: finished.status,
        counts: JSON.stringify(finished.counts),
        error: finished.error === undefined ? null : storableText(finished.error),
        warnings: storableJson(finished.warnings),
        lease: null,
        finished_at: finished.now,
        updated_at: finished.now,
      })
      .where('knowledge_base_id', '=', finished.knowledgeBaseId)
      .where('id', '=', finished.syncId)
      .where('lease', '=', finished.lease)
      .returning('source_id')
      .executeTakeFirst()
    if (row === undefined) return
    const of = { knowledge_base_id: finished.knowledgeBaseId, sync_id: finished.syncId }
    const errors = finished.errors.map(({ kind, url, reason }, ordinal) => ({
      ...of,
      ordinal,
      kind,
      url: storableText(url),
      reason: storableText(reason),
    }))
    if (errors.length > 0) await transaction.insertInto('sync_errors').values(errors).execute()
    const changes = finished.changes.map(({ kind, title, url }, ordinal) => ({
      ...of,
      ordinal,
      kind,
      title: storableText(title),
      url: storableText(url),
    }))
    if (changes.length > 0) await transaction.insertInto('sync_changes').values(changes).execute()
    await forgetOldSyncs(transaction, finished.knowledgeBaseId, row.source_id)
  })
}

const endUnfinished = (db: Db<'syncs'>, now: Date) =>
  db
    .updateTable('syncs')
    .set((row) => ({
      cancel_requested: true,
      status: sql<
        SyncRow['status']
      >`case when ${row.ref('status')} = 'queued' then 'cancelled' else ${row.ref('status')} end`,
      finished_at: sql<Date | null>`case when ${row.ref('status')} = 'queued' then ${now}::timestamptz else null end`,
      updated_at: now,
    }))
    .where('status', 'in', ['queued', 'running'])

/** Requests cancellation: a queued sync ends here, a running one at its worker's next heartbeat. */
export async function requestCancel(
  db: SyncsDb,
  knowledgeBaseId: string,
  syncId: string,
  now: Date,
): Promise<void> {
  await endUnfinished(db, now)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', syncId)
    .execute()
}

/** Cancels every sync of a base, when it is archived. */
export async function cancelSyncsOfBase(db: Db<'syncs'>, knowledgeBaseId: string, now: Date): Promise<void> {
  await endUnfinished(db, now).where('knowledge_base_id', '=', knowledgeBaseId).execute()
}

/** Gives a sync back that this worker holds, because its process stops: that is no failed attempt. */
export async function giveBack(
  db: SyncsDb,
  held: { knowledgeBaseId: string; syncId: string; lease: string; counts: SyncCounts; now: Date },
): Promise<void> {
  await db
    .updateTable('syncs')
    .set((row) => ({
      status: sql<
        SyncRow['status']
      >`case when ${row.ref('cancel_requested')} then 'cancelled' else 'queued' end`,
      finished_at: sql<Date | null>`case when ${row.ref('cancel_requested')} then ${held.now}::timestamptz end`,
      attempts: sql<number>`greatest(${row.ref('attempts')} - 1, 0)`,
      starts: sql<number>`greatest(${row.ref('starts')} - 1, 0)`,
      counts: JSON.stringify(held.counts),
      lease: null,
      updated_at: held.now,
    }))
    .where('knowledge_base_id', '=', held.knowledgeBaseId)
    .where('id', '=', held.syncId)
    .where('lease', '=', held.lease)
    .where('status', '=', 'running')
    .execute()
}

/**
 * Requeues running syncs whose worker has sent no heartbeat for so long. One that wrote something before its worker ended has got on:
 * its next attempt counts as the first. Fails those that ended their worker `attempts` times in a row without getting on, or `starts` times
 * in all: a page that changes at each reading would otherwise go on for ever. Returns whether any sync waits for a worker.
 */
export async function requeueAbandoned(
  db: SyncsDb,
  given: { abandonedAfterSeconds: number; most: { attempts: number; starts: number }; now: Date },
): Promise<boolean> {
  const { abandonedAfterSeconds, most, now } = given
  const hasGotOn = sql<boolean>`(counts->>'added')::integer + (counts->>'changed')::integer + (counts->>'removed')::integer > 0`
  const isSpent = sql<boolean>`(starts >= ${most.starts}::integer or (attempts >= ${most.attempts}::integer and not ${hasGotOn}))`
  await db
    .updateTable('syncs')
    .set((row) => ({
      status: sql<SyncRow['status']>`case
        when ${row.ref('cancel_requested')} then 'cancelled' when ${isSpent} then 'failed' else 'queued' end`,
      error: sql<string | null>`case when ${isSpent}
        then 'The service stopped during every attempt of this sync. Check the service log, then sync again.' end`,
      finished_at: sql<Date | null>`case when ${row.ref('cancel_requested')} or ${isSpent} then ${now}::timestamptz end`,
      attempts: sql<number>`case when ${hasGotOn} then 0 else attempts end`,
      lease: null,
      updated_at: now,
    }))
    .where('status', '=', 'running')
    // By the clock of the database, as heartbeats are: those of two processes may differ.
    .where(
      'heartbeat_at',
      '<=',
      sql<Date>`clock_timestamp() - make_interval(secs => ${abandonedAfterSeconds}::integer)`,
    )
    .execute()
  return await isAnyQueued(db)
}

/** Whether any sync waits for a worker. */
export async function isAnyQueued(db: SyncsDb): Promise<boolean> {
  const waiting = await db
    .selectFrom('syncs')
    .select('id')
    .where('status', '=', 'queued')
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

export async function listSyncs(
  db: SyncsDb,
  of: { knowledgeBaseId: string; sourceId: string; before: string | undefined; limit: number },
): Promise<SyncRow[]> {
  return await selectSyncs(db)
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .$if(of.before !== undefined, (query) => query.where('id', '<', of.before ?? ''))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}
