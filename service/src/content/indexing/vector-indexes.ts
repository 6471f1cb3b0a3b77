import { countVectors, ensureVectorIndex, type EmbeddingSpace } from './index-partitions-store.ts'
import type { IndexDb } from './indexing-tables.ts'

/**
 * Number of vectors from which a base has an HNSW index. Searches compare every vector if up to 5,000 can be read, so a smaller base never
 * uses the index, and inserting a row into an existing index costs five times as much as a row that is there when the index is created
 * (measured on the embedded engine: 2.3 and .5 ms). Lower than 5,000, because several processes may write.
 */
const INDEXED_FROM = 4_000

/** HNSW of pgvector takes no longer vectors. A base of longer ones is searched without an index, by comparing every vector. */
const MAX_INDEXED_DIMENSIONS = 2_000

/** Vectors are counted again after this many were written. */
const COUNTED_EVERY = 250

/** Creates the vector index of a base when it is large enough. */
export interface VectorIndexes {
  /** Called after vectors were written; creates the index when it is due. Never throws: what was written is complete without it. */
  onWritten(knowledgeBaseId: string, vectors: number): Promise<void>
  /** Called when the base has lost its tables. */
  forget(knowledgeBaseId: string): void
}

interface Growth {
  /** Vectors written by this process since the last count. */
  written: number
  /** The index exists, or this process is creating it. */
  isIndexed: boolean
}

export function createVectorIndexes(
  db: IndexDb,
  spaceInUse: () => EmbeddingSpace | undefined,
  report?: (error: unknown, activity: string) => void,
): VectorIndexes {
  const growths = new Map<string, Growth>()

  function growthOf(knowledgeBaseId: string): Growth {
    const known = growths.get(knowledgeBaseId)
    if (known !== undefined) return known
    // Forces a count immediately, for a base that another process or an earlier start has filled.
    const growth = { written: COUNTED_EVERY, isIndexed: false }
    growths.set(knowledgeBaseId, growth)
    return growth
  }

  return {
    onWritten: async (knowledgeBaseId, vectors) => {
      const space = spaceInUse()
      if (space === undefined || space.dimensions > MAX_INDEXED_DIMENSIONS) return
      const growth = growthOf(knowledgeBaseId)
      growth.written += vectors
      if (growth.isIndexed || growth.written < COUNTED_EVERY) return
      growth.written = 0
      try {
        if ((await countVectors(db, knowledgeBaseId, space.key, INDEXED_FROM)) < INDEXED_FROM) return
        growth.isIndexed = true
        await ensureVectorIndex(db, knowledgeBaseId, space)
      } catch (error) {
        growth.isIndexed = false
        report?.(error, 'creating the vector index of a knowledge base')
      }
    },
    forget: (knowledgeBaseId) => growths.delete(knowledgeBaseId),
  }
}
