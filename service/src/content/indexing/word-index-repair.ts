import type { IndexDb } from './indexing-tables.ts'
import { rebuildWordIndexes } from './index-partitions-store.ts'

/** Minimum time between two rebuilds: an index that breaks again immediately is not repaired by a third try. */
const REBUILD_INTERVAL_MS = 60_000

export interface WordIndexRepairDeps {
  db: IndexDb
  now: () => Date
  log: { warn(fields: object, message: string): void }
}

/** Rebuilds the word indexes of a base when a search found them broken: one rebuild at a time, and not repeatedly. */
export function createWordIndexRepair({ db, now, log }: WordIndexRepairDeps) {
  const triedAt = new Map<string, number>()
  return (fault: unknown, knowledgeBaseId: string): void => {
    const time = now().getTime()
    if (time - (triedAt.get(knowledgeBaseId) ?? 0) < REBUILD_INTERVAL_MS) return
    triedAt.set(knowledgeBaseId, time)
    log.warn(
      { err: fault, knowledge_base_id: knowledgeBaseId },
      'the word index cannot be read and is being rebuilt; until then questions are answered by meaning alone',
    )
    rebuildWordIndexes(db, knowledgeBaseId).catch((error: unknown) =>
      log.warn({ err: error, knowledge_base_id: knowledgeBaseId }, 'the word index could not be rebuilt'),
    )
  }
}
