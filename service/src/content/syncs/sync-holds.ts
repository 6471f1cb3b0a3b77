import { Refusal } from '../../kernel/refusal.ts'
import type { HeldDocument, IndexDb, Indexing } from '../indexing/indexing.ts'
import { forgetSource } from './page-memory-store.ts'
import {
  clearHold,
  decideHold,
  listHoldsToMeasure,
  type HoldDecision,
  type HoldToMeasure,
} from './sync-holds-store.ts'
import { findSync, type SyncRow, type SyncsDb } from './syncs-store.ts'
import type { HoldFigures } from './syncs-tables.ts'

export type { HoldToMeasure } from './sync-holds-store.ts'
export type { HoldFigures } from './syncs-tables.ts'

export interface SyncHoldsDeps {
  db: SyncsDb
  indexing: Indexing
  now: () => Date
}

const UNDECIDED = ['open', 'waiting'] as const

/**
 * What happens to the documents of a sync that are held back. While it reads, they are written and no reader sees them. When it has ended,
 * `answers/evaluation/measure-held-syncs.ts` measures them, and either releases them or leaves them waiting for a person. A later sync of
 * the source takes them over: it compares with what is held, so that pages that were mended release everything by themselves.
 */
export function createSyncHolds({ db, indexing, now }: SyncHoldsDeps) {
  const decideTo =
    (of: { knowledgeBaseId: string; syncId: string }, decision: HoldDecision, figures?: HoldFigures) =>
    async (transaction: IndexDb) =>
      await decideHold(transaction, {
        ...of,
        from: decision === 'released' ? ['open'] : UNDECIDED,
        decision,
        figures,
        now: now(),
      })

  async function find(knowledgeBaseId: string, syncId: string): Promise<SyncRow> {
    const sync = await findSync(db, knowledgeBaseId, syncId)
    if (sync === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such sync.' })
    return sync
  }

  /** A sync on whose documents somebody may decide. */
  async function findUndecided(knowledgeBaseId: string, syncId: string): Promise<SyncRow> {
    const sync = await find(knowledgeBaseId, syncId)
    if (sync.hold_status !== 'open' && sync.hold_status !== 'waiting')
      throw new Refusal('CONFLICT', { because: 'This sync holds no documents back, or no longer.' })
    if (sync.finished_at === null)
      throw new Refusal('CONFLICT', {
        because: 'This sync is still being read. Wait for its end, or cancel it.',
      })
    return sync
  }

  const decidedMeanwhile = () =>
    new Refusal('CONFLICT', {
      because: 'Somebody else has decided, or another sync of the source has begun. Look again.',
    })

  /** Shows the held documents to readers, and removes those that the source no longer has. */
  async function accept(knowledgeBaseId: string, syncId: string): Promise<SyncRow> {
    const { source_id: sourceId } = await findUndecided(knowledgeBaseId, syncId)
    const of = { knowledgeBaseId, sourceId, syncId }
    if (!(await indexing.releaseHeld(of, decideTo(of, 'accepted')))) throw decidedMeanwhile()
    await indexing.refreshStatistics(knowledgeBaseId, 1)
    return await find(knowledgeBaseId, syncId)
  }

  /** Deletes the held documents. The next sync reads the source from the beginning. */
  async function discard(knowledgeBaseId: string, syncId: string): Promise<SyncRow> {
    const { source_id: sourceId } = await findUndecided(knowledgeBaseId, syncId)
    const of = { knowledgeBaseId, sourceId, syncId }
    const isDiscarded = await indexing.discardHeld(of, async (transaction) => {
      if (!(await decideTo(of, 'discarded')(transaction))) return false
      // What is remembered of its pages is that of the held versions.
      await forgetSource(transaction, of)
      return true
    })
    if (!isDiscarded) throw decidedMeanwhile()
    return await find(knowledgeBaseId, syncId)
  }

  return {
    accept,
    discard,
    toMeasure: async () => await listHoldsToMeasure(db),
    countHeld: async (of: HoldToMeasure) => await indexing.countHeldDocuments(of),
    /** Nothing was held after all. */
    clear: async (of: HoldToMeasure) => await clearHold(db, of),
    /** Nothing happens if somebody has decided meanwhile, or another sync has begun. */
    release: async (of: HoldToMeasure, figures: HoldFigures | undefined) => {
      if (await indexing.releaseHeld(of, decideTo(of, 'released', figures)))
        await indexing.refreshStatistics(of.knowledgeBaseId, 1)
    },
    /** Leaves the documents waiting for a person. */
    holdBack: async (of: HoldToMeasure, figures: HoldFigures) => {
      await decideHold(db, { ...of, from: ['open'], decision: 'waiting', figures, now: now() })
    },
    /** Documents that wait, by their ids; none if it is decided. */
    listHeld: async (
      knowledgeBaseId: string,
      syncId: string,
      page: { after: string | undefined; limit: number },
    ): Promise<HeldDocument[]> => {
      const sync = await find(knowledgeBaseId, syncId)
      if (sync.hold_status !== 'open' && sync.hold_status !== 'waiting') return []
      return await indexing.listHeldDocuments({ knowledgeBaseId, sourceId: sync.source_id, ...page })
    },
  }
}

export type SyncHolds = ReturnType<typeof createSyncHolds>
