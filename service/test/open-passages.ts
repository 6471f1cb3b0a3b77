import { vectorOfText } from '../src/platform/storage/vector-text.ts'
import { sql } from 'kysely'
import { openIndex } from './open-index.ts'

/** A passage as it is indexed. */
export interface IndexedPassage {
  /** The id under which its page was pushed. */
  page: string
  title: string
  headingPath: string[]
  text: string
  vector: Float32Array
}

/** Opens an index to read its passages and vectors for other programs (see `openIndex`). */
export async function openPassages(data: string) {
  const index = await openIndex(data)
  return {
    passagesOf: async (baseName: string): Promise<IndexedPassage[]> => {
      const base = await index.baseOf(baseName)
      const rows = await index.db
        .selectFrom('chunks')
        .innerJoin('documents', (join) =>
          join
            .onRef('documents.knowledge_base_id', '=', 'chunks.knowledge_base_id')
            .onRef('documents.id', '=', 'chunks.document_id')
            .onRef('documents.live_version', '=', 'chunks.version'),
        )
        .innerJoin('chunk_vectors', (join) =>
          join
            .onRef('chunk_vectors.knowledge_base_id', '=', 'chunks.knowledge_base_id')
            .onRef('chunk_vectors.chunk_id', '=', 'chunks.id'),
        )
        .select([
          'documents.external_id',
          'documents.title',
          'chunks.heading_path',
          'chunks.text',
          sql<string>`chunk_vectors.embedding::text`.as('embedding'),
        ])
        .where('chunks.knowledge_base_id', '=', base.id)
        .execute()
      return rows.map((row) => ({
        page: row.external_id,
        title: row.title,
        headingPath: row.heading_path,
        text: row.text,
        vector: vectorOfText(row.embedding),
      }))
    },
    [Symbol.asyncDispose]: index[Symbol.asyncDispose],
  }
}
