import type { StorageQuota } from '../../accounts/storage-quota/storage-quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { yieldToEventLoop } from '../../kernel/yield-to-event-loop.ts'
import type { EmbedderInUse } from '../../platform/embedding/embedder-in-use.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { passageParts } from '../chunking/chunking.ts'
import {
  completeVectors,
  documentsLackingVectors,
  passagesLackingVectors,
  type LackingDocument,
  type LackingPassage,
} from './complete-vectors-store.ts'
import { embedPassages } from './embed-passages.ts'
import type { IndexDb } from './indexing-tables.ts'
import { hashParts } from './prepare-passages.ts'
import type { VectorIndexes } from './vector-indexes.ts'

export const COMPLETE_VECTORS = 'complete-vectors'

/** Read at once: a page of documents, and the passages that are embedded and written in one transaction. */
const DOCUMENTS = 50
const PASSAGES = 50

export interface CompleteVectorsDeps {
  db: IndexDb
  embedder: EmbedderInUse
  vectorIndexes: Pick<VectorIndexes, 'onWritten'>
  storageQuota?: Pick<StorageQuota, 'require'> | undefined
}

/**
 * Hourly, and when the embedding model is another: embeds what readers find without a vector of the model, from what is stored. Nothing has
 * to be read from its source again, which nobody could do for pushed pages and custom answers. A document over the storage quota stays as it is.
 */
export function completeVectorsJob({ db, embedder, vectorIndexes, storageQuota }: CompleteVectorsDeps): Job {
  async function complete(document: LackingDocument, model: Embedder, signal: AbortSignal): Promise<void> {
    const { knowledgeBaseId } = document
    const language = document.language ?? undefined
    for (let after = -1; ;) {
      const lacking = await passagesLackingVectors(db, document, model.key, after, PASSAGES)
      const last = lacking.at(-1)
      if (last === undefined) return
      after = last.ordinal
      const passages: (LackingPassage & { parts: readonly string[] })[] = []
      for (const passage of lacking) {
        const parts = passageParts(document.title, passage, language)
        // Where an earlier version divided passages otherwise, the vector would be that of another text.
        if (hashParts(parts) === passage.hash) passages.push({ ...passage, parts })
        await yieldToEventLoop()
      }
      const vectors = await embedPassages(model, { passages, known: new Map(), knowledgeBaseId }, signal)
      const made = passages.flatMap(({ id: chunkId, hash }) => {
        const vector = vectors.get(hash)
        return vector === undefined ? [] : [{ chunkId, vector }]
      })
      if (made.length === 0) continue
      const written = await completeVectors(db, document, model.key, made, async (transaction) => {
        await storageQuota?.require(transaction, knowledgeBaseId, 0)
      })
      if (written === 0) return
      await vectorIndexes.onWritten(knowledgeBaseId, written)
    }
  }

  return {
    name: COMPLETE_VECTORS,
    schedule: '23 * * * *',
    handle: async (_data, signal) => {
      const model = embedder()
      if (model === undefined) return
      let after: LackingDocument | undefined
      do {
        const documents = await documentsLackingVectors(db, model.key, after, DOCUMENTS)
        for (const document of documents) {
          signal.throwIfAborted()
          await complete(document, model, signal).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error
          })
        }
        after = documents.at(-1)
      } while (after !== undefined)
    },
  }
}
