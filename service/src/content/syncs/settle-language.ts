import { moveProgress } from './source-progress-store.ts'
import type { RunSyncDeps, SyncToRun } from './sync-to-run.ts'

/**
 * Finds out the language of the base at the end of a sync, where nobody chose it. Pages that were read in another one are analysed anew
 * from what is stored: no source has to be read again for it.
 *
 * @returns the share of the base's pages that it rewrote, as far as this sync knows them
 */
export async function settleLanguage(
  { db, indexing }: Pick<RunSyncDeps, 'db' | 'indexing'>,
  { knowledgeBaseId }: SyncToRun,
  documents: number,
  signal: AbortSignal,
): Promise<number> {
  const settled = await indexing.settleLanguage(knowledgeBaseId, signal)
  if (settled === undefined) return 0
  const { before, after, pages } = settled
  if (before !== after)
    await moveProgress(db, {
      knowledgeBaseId,
      from: indexing.pipelineFor(before),
      to: indexing.pipelineFor(after),
    })
  return Math.min(1, pages / Math.max(1, documents))
}
