import { countVectors, ensureVectorIndex, type EmbeddingSpace } from './index-partitions-store.ts'
import type { IndexDb } from './index-tables.ts'

/**
 * From here on a base has an index of its vectors. Searches compare every one where up to 5,000 can be read, so that an
 * index would never be asked before, and each row that is put into one costs five times as much as a row that is there
 * when it is made (measured on the embedded engine: 2.3 and .5 ms). Below that 5,000, since several processes may write.
 */
const INDEXED_FROM = 4_000

/** After so many written vectors they are counted again. */
const COUNTED_EVERY = 250

/** Makes the vector index of a base when it has grown to need one. */
export interface VectorIndexes {
  /** Told of written vectors; makes the index where it is time. */
  onWritten(knowledgeBaseId: string, vectors: number): Promise<void>
  /** The base has lost its tables. */
  forget(knowledgeBaseId: string): void
}

interface Growth {
  /** Written by this process since the vectors were counted. */
  written: number
  /** The index is there, or this process is making it. */
  isIndexed: boolean
}

export function createVectorIndexes(db: IndexDb, space: EmbeddingSpace | undefined): VectorIndexes {
  const growths = new Map<string, Growth>()

  function growthOf(knowledgeBaseId: string): Growth {
    const known = growths.get(knowledgeBaseId)
    if (known !== undefined) return known
    // Counted at once, for a base that another process or an earlier start has filled.
    const growth = { written: COUNTED_EVERY, isIndexed: false }
    growths.set(knowledgeBaseId, growth)
    return growth
  }

  return {
    onWritten: async (knowledgeBaseId, vectors) => {
      if (space === undefined) return
      const growth = growthOf(knowledgeBaseId)
      growth.written += vectors
      if (growth.isIndexed || growth.written < COUNTED_EVERY) return
      growth.written = 0
      if ((await countVectors(db, knowledgeBaseId, space.key, INDEXED_FROM)) < INDEXED_FROM) return
      growth.isIndexed = true
      try {
        await ensureVectorIndex(db, knowledgeBaseId, space)
      } catch (error) {
        growth.isIndexed = false
        throw error
      }
    },
    forget: (knowledgeBaseId) => growths.delete(knowledgeBaseId),
  }
}
