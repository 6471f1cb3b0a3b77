import { HOUR_MS } from '../../kernel/duration.ts'
import { ensurePartitions, refreshStatistics } from './index-partitions-store.ts'
import type { IndexDb } from './indexing-tables.ts'

/** What else writes to these tables, such as a change of visibility, is counted after this time at the latest. */
const KEPT_MS = 24 * HOUR_MS

/** Documents that were replaced or removed leave room: from this share on it is worth a vacuum. */
const MUCH = 0.2

/** The planner's statistics of the embedded engine, which does not update them by itself. */
export function createStatistics(deps: {
  db: IndexDb
  engine: 'embedded' | 'postgres'
  /** False for a deleted base. */
  prepareBase: (knowledgeBaseId: string) => Promise<boolean>
}) {
  const { db, engine, prepareBase } = deps
  /** When those of a base were made, if nothing of it was written since. No other process writes to the embedded engine. */
  const madeAt = new Map<string, number>()

  /** Something was written, or may have been. */
  const outdate = (knowledgeBaseId: string): void => void madeAt.delete(knowledgeBaseId)

  async function refresh(knowledgeBaseId: string, rewrittenShare: number): Promise<void> {
    if (engine === 'postgres') return
    const now = performance.now()
    if (rewrittenShare === 0 && now - (madeAt.get(knowledgeBaseId) ?? Number.NEGATIVE_INFINITY) < KEPT_MS)
      return
    if (!(await prepareBase(knowledgeBaseId))) return
    // Before they are read: what is written meanwhile is not in them.
    madeAt.set(knowledgeBaseId, now)
    try {
      await refreshStatistics(db, knowledgeBaseId, rewrittenShare > MUCH)
    } catch (error) {
      outdate(knowledgeBaseId)
      // The tables of a base that is being deleted are gone, and need no statistics.
      if (await ensurePartitions(db, knowledgeBaseId)) throw error
    }
  }

  return { refresh, outdate }
}
