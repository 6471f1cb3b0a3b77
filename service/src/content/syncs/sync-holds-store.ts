import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { SyncsDb } from './syncs-store.ts'
import type { HoldFigures } from './syncs-tables.ts'

export type HoldsDb = Db<'syncs'>

interface OfSync {
  knowledgeBaseId: string
  sourceId: string
  syncId: string
}

/** A decision, or why there is none to take. */
export type HoldDecision = 'waiting' | 'released' | 'accepted' | 'discarded'

/**
 * Opens the hold of a sync that begins: if its source holds back, or if documents of an earlier sync still wait, which it takes over. A
 * sync that is resumed after a crash keeps its own. Whether its documents are held.
 */
export async function openHold(db: SyncsDb, of: OfSync & { now: Date }): Promise<boolean> {
  return await db.transaction().execute(async (transaction: SyncsDb) => {
    // Whoever decides on the earlier one has locked the source: see `releaseHeld`.
    const source = await transaction
      .selectFrom('sources')
      .select((row) => [
        'hold_back_drop',
        row
          .exists(
            row
              .selectFrom('syncs')
              .select('syncs.id')
              .whereRef('syncs.knowledge_base_id', '=', 'sources.knowledge_base_id')
              .whereRef('syncs.source_id', '=', 'sources.id')
              .where('syncs.hold_status', 'in', ['open', 'waiting']),
          )
          .as('hasHolds'),
      ])
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('id', '=', of.sourceId)
      .forUpdate()
      .executeTakeFirst()
    // Holds are opened here alone, and a source has one sync at a time: none can have come meanwhile.
    if (source === undefined || (source.hold_back_drop === null && source.hasHolds !== true)) return false
    const ofSource = transaction
      .updateTable('syncs')
      .where('knowledge_base_id', '=', of.knowledgeBaseId)
      .where('source_id', '=', of.sourceId)
    const earlier = await ofSource
      .set({ hold_status: 'superseded', updated_at: of.now })
      .where('id', '<>', of.syncId)
      .where('hold_status', 'in', ['open', 'waiting'])
      .returning('id')
      .execute()
    const { rows } = await sql<{ is_held: boolean }>`
      update syncs set hold_status = 'open', updated_at = ${of.now}::timestamptz
      where knowledge_base_id = ${of.knowledgeBaseId} and id = ${of.syncId}
        and (hold_status = 'open' or ${earlier.length > 0 || source.hold_back_drop !== null}::boolean)
      returning true as is_held`.execute(transaction)
    return rows.length > 0
  })
}

/**
 * Asks, in the transaction that holds something, whether the worker still has the sync. The transaction has locked the source, so that a
 * decision comes before it or after it.
 *
 * @throws Error if another worker has it, or if it has ended
 */
export async function requireOpenHold(
  db: HoldsDb,
  of: Omit<OfSync, 'sourceId'> & { lease: string },
): Promise<void> {
  const sync = await db
    .selectFrom('syncs')
    .select('id')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.syncId)
    .where('hold_status', '=', 'open')
    .where('lease', '=', of.lease)
    .executeTakeFirst()
  if (sync === undefined) throw new Error('The sync was lost while one of its documents was to be held.')
}

/**
 * Decides on what a sync holds, in the transaction that carries it out. False if it holds nothing that could be decided on: it is being
 * read, somebody else has decided, or a later sync has begun.
 */
export async function decideHold(
  transaction: HoldsDb,
  of: Omit<OfSync, 'sourceId'> & {
    from: readonly ('open' | 'waiting')[]
    decision: HoldDecision
    figures?: HoldFigures | undefined
    now: Date
  },
): Promise<boolean> {
  const updated = await transaction
    .updateTable('syncs')
    .set({
      hold_status: of.decision,
      hold_decided_at: of.decision === 'waiting' ? null : of.now,
      updated_at: of.now,
      ...(of.figures !== undefined && { hold_figures: JSON.stringify(of.figures) }),
    })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.syncId)
    .where('hold_status', 'in', of.from)
    .where('finished_at', 'is not', null)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Forgets that a sync held anything: it found nothing new. */
export async function clearHold(db: HoldsDb, of: Omit<OfSync, 'sourceId'>): Promise<void> {
  await db
    .updateTable('syncs')
    .set({ hold_status: null })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.syncId)
    .where('hold_status', '=', 'open')
    .where('finished_at', 'is not', null)
    .execute()
}

/** A sync that has ended, and whose documents have to be measured. */
export interface HoldToMeasure extends OfSync {
  /** Null: nothing is held back any more. */
  maxDrop: number | null
}

/** Of all bases, the oldest first. */
export async function listHoldsToMeasure(db: Db<'syncs' | 'sources'>): Promise<HoldToMeasure[]> {
  return await db
    .selectFrom('syncs')
    .innerJoin('sources', withinBase('sources.id', 'syncs.source_id'))
    .select([
      'syncs.knowledge_base_id as knowledgeBaseId',
      'syncs.source_id as sourceId',
      'syncs.id as syncId',
      'sources.hold_back_drop as maxDrop',
    ])
    .where('syncs.hold_status', '=', 'open')
    .where('syncs.finished_at', 'is not', null)
    .orderBy('syncs.finished_at')
    .execute()
}
