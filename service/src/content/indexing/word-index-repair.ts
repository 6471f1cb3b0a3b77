import type { IndexDb } from './index-tables.ts'
import { rebuildWordIndexes } from './index-partitions-store.ts'

/** An index that breaks again at once is not mended by a third try. */
const AGAIN_AFTER_MS = 60_000

export interface WordIndexRepairDeps {
  db: IndexDb
  now: () => Date
  log: { warn(fields: object, message: string): void }
}

/** Makes the word indexes of a base anew where a search found them broken: once at a time, and not over and over. */
export function createWordIndexRepair({ db, now, log }: WordIndexRepairDeps) {
  const triedAt = new Map<string, number>()
  return (fault: unknown, knowledgeBaseId: string): void => {
    const time = now().getTime()
    if (time - (triedAt.get(knowledgeBaseId) ?? 0) < AGAIN_AFTER_MS) return
    triedAt.set(knowledgeBaseId, time)
    log.warn(
      { err: fault, knowledge_base_id: knowledgeBaseId },
      'the index of words cannot be read, and is made anew; until then questions are answered by meaning',
    )
    rebuildWordIndexes(db, knowledgeBaseId).catch((error: unknown) =>
      log.warn({ err: error, knowledge_base_id: knowledgeBaseId }, 'the index of words was not made anew'),
    )
  }
}
