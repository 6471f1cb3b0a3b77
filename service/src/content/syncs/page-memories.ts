import type { PageMemory } from '../connectors/connectors.ts'
import {
  forgetPages,
  hasPages,
  recallPage,
  rememberPages,
  type MemoryDb,
  type OfSource,
} from './page-memory-store.ts'

/** Pages that are written down together, where no document is written with them. */
const WRITTEN_TOGETHER = 50

/**
 * What a sync remembers of the addresses of its source. What is remembered of a document is written with the document; of
 * all other pages a crash may lose the last few, which the next sync then reads again.
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
    /** What is remembered from the sync before. */
    recall: async (url: string): Promise<PageMemory | undefined> =>
      hasAny ? await recallPage(db, of, url, pipeline) : undefined,
    remember: async (memory: PageMemory | undefined): Promise<void> => {
      if (memory === undefined) return
      waiting.set(memory.url, memory)
      if (waiting.size >= WRITTEN_TOGETHER) await flush()
    },
    rememberIn: async (transaction: MemoryDb, memory: PageMemory | undefined): Promise<void> => {
      if (memory === undefined) return
      // An earlier word about the page must not be written over this one.
      waiting.delete(memory.url)
      await rememberPages(transaction, of, [memory], now())
    },
    /** At the end: forgets what this sync did not see. */
    close: async (): Promise<void> => {
      await flush()
      await forgetPages(db, of, startedAt)
    },
  }
}
