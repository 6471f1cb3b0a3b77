import type { Events } from '../../platform/events/events.ts'
import {
  discardHeld,
  followOnRelease,
  holdRemovals,
  listHeldDocuments,
  releaseHeld,
  countHeldDocuments,
  type HeldDocument,
  type OfSource,
} from './held-versions-store.ts'
import type { IndexDb } from './indexing-tables.ts'

export type { HeldDocument } from './held-versions-store.ts'

interface HeldVersionsDeps {
  db: IndexDb
  events: Pick<Events, 'announce'> | undefined
  now: () => Date
}

/**
 * What is held of a source until somebody decides: new versions of documents, and documents that go. All of it becomes live in one
 * transaction, or is deleted in one. `decide` runs in that transaction, under a lock on the source; false changes nothing.
 */
export function createHeldVersions({ db, events, now }: HeldVersionsDeps) {
  return {
    /** `alsoInTransaction` may throw: then nothing is held. */
    holdRemovals: async (
      of: OfSource & { documentIds: readonly string[] },
      alsoInTransaction: (transaction: IndexDb) => Promise<void>,
    ) => await holdRemovals(db, { ...of, now: now() }, alsoInTransaction),
    /** False if nothing is held of the document. */
    followOnRelease: async (
      of: OfSource & { externalId: string; follows: boolean },
      transaction: IndexDb = db,
    ) => await followOnRelease(transaction, of),
    countHeldDocuments: async (of: OfSource) => await countHeldDocuments(db, of),
    listHeldDocuments: async (
      of: OfSource & { after: string | undefined; limit: number },
    ): Promise<HeldDocument[]> => await listHeldDocuments(db, of),
    releaseHeld: async (
      of: OfSource,
      decide: (transaction: IndexDb) => Promise<boolean>,
    ): Promise<boolean> => {
      const { knowledgeBaseId } = of
      const shown = await releaseHeld(db, { ...of, now: now() }, decide)
      if (shown === undefined) return false
      events?.announce('content.changed', { knowledgeBaseId })
      // One document is enough to tell subscribers that the public documents of the base have changed.
      const [documentId] = shown
      if (documentId !== undefined)
        events?.announce('document.visibility-changed', { knowledgeBaseId, documentId })
      return true
    },
    discardHeld: async (of: OfSource, decide: (transaction: IndexDb) => Promise<boolean>) =>
      await discardHeld(db, of, decide),
  }
}
