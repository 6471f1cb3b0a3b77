import type { PageMemory } from '../connectors/connectors.ts'
import {
  forgetPages,
  hasPages,
  recallPage,
  rememberPages,
  type MemoryDb,
  type OfSource,
} from './page-memory-store.ts'

/** Number of pages written in one batch if no document is written with them. */
const BATCH_SIZE = 50

/**
 * What a sync remembers of the addresses of its source. The memory of a document is written together with the document; of all other pages
 * a crash may lose the last few, which the next sync then reads again.
 */
export async function openPageMemories(
  db: MemoryDb,
  of: OfSource,
  deps: { pipeline: string; now: () => Date },
) {
  const { pipeline, now } = deps
  const startedAt = now()
  const hasAny = await hasPages(db, of)
  let waiting = new Map<string, PageMemory>()

  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const pages = [...waiting.values()]
    waiting = new Map()
    await rememberPages(db, of, pages, now())
  }

  return {
    /** What the previous sync remembered. */
    recall: async (url: string): Promise<PageMemory | undefined> =>
      hasAny ? await recallPage(db, of, url, pipeline) : undefined,
    remember: async (memory: PageMemory | undefined): Promise<void> => {
      if (memory === undefined) return
      waiting.set(memory.url, memory)
      if (waiting.size >= BATCH_SIZE) await flush()
    },
    rememberIn: async (transaction: MemoryDb, memory: PageMemory | undefined): Promise<void> => {
      if (memory === undefined) return
      // A pending earlier entry for the page must not overwrite this one.
      waiting.delete(memory.url)
      await rememberPages(transaction, of, [memory], now())
    },
    /** Writes what waits. */
    flush,
    /** At the end: deletes the entries of pages that this sync did not see. */
    close: async (): Promise<void> => {
      await flush()
      await forgetPages(db, of, startedAt)
    },
  }
}
