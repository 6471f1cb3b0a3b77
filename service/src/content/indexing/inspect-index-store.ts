import { sql } from 'kysely'
import type { IndexDb } from './indexing-tables.ts'

export interface IndexInspection {
  documents: number
  chunks: number
  /** Live documents without a single chunk. */
  documentsWithoutChunks: number
  /** Live documents whose number of chunks differs from the published count. */
  documentsWithOtherCount: number
  /** Chunks of live versions that lack a vector of the embedding key, or have two. */
  chunksWithoutVector: number
  /** Orphaned chunks that belong to no live or held version: left by a crash, invisible, and removed by the next change of their document. */
  unseenChunks: number
  /** Documents with two or more live versions; must be 0. */
  documentsWithTwoLiveVersions: number
}

/** Checks the consistency of the index: counts of rows that break each rule. */
export async function inspectIndex(db: IndexDb, embeddingKey: string | undefined): Promise<IndexInspection> {
  const [row] = (
    await sql<IndexInspection>`
    with counted as (
      select d.knowledge_base_id, d.id, d.live_version, d.chunk_count, count(c.id)::integer as found,
        count(distinct c.version)::integer as versions
      from documents d
      left join chunks c on c.knowledge_base_id = d.knowledge_base_id and c.document_id = d.id and c.version = d.live_version
      where d.live_version is not null
      group by d.knowledge_base_id, d.id, d.live_version, d.chunk_count
    )
    select
      (select count(*)::integer from documents where live_version is not null) as documents,
      (select count(*)::integer from chunks) as chunks,
      (select count(*)::integer from counted where found = 0) as "documentsWithoutChunks",
      (select count(*)::integer from counted where found <> chunk_count) as "documentsWithOtherCount",
      (select count(*)::integer from counted where versions > 1) as "documentsWithTwoLiveVersions",
      (select count(*)::integer from chunks c
        join documents d on d.knowledge_base_id = c.knowledge_base_id and d.id = c.document_id and d.live_version = c.version
        where ${embeddingKey ?? null}::text is not null and not exists (
          select 1 from chunk_vectors v where v.knowledge_base_id = c.knowledge_base_id and v.chunk_id = c.id
            and v.embedding_key = ${embeddingKey ?? null}::text)) as "chunksWithoutVector",
      (select count(*)::integer from chunks c where not exists (
        select 1 from documents d where d.knowledge_base_id = c.knowledge_base_id and d.id = c.document_id
          and d.live_version = c.version)
        and not exists (
          select 1 from held_documents h where h.knowledge_base_id = c.knowledge_base_id and h.document_id = c.document_id
            and h.version = c.version)) as "unseenChunks"
  `.execute(db)
  ).rows
  if (row === undefined) throw new Error('The index could not be inspected.')
  return row
}
