import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { vectorText } from '../../platform/storage/vector-text.ts'

export type SearchDb = Db<'documents' | 'chunks' | 'chunk_vectors' | 'sources' | 'knowledge_bases'>

/** Whose passages may be found: stated in the query itself, never checked afterwards. */
export interface SearchScope {
  knowledgeBaseId: string
  /** Only sources of these groups; undefined for all of them. */
  groupIds: readonly string[] | undefined
  /** Also restricted documents: never on a public surface. */
  includeRestricted: boolean
}

/**
 * Readable passages up to which every vector is compared. Above it the HNSW index answers.
 * Comparing 5,000 takes about 20 ms on the embedded engine; an index walk under a narrow filter takes longer and misses.
 */
const EXACT_UP_TO = 5_000

const groupsOf = (scope: SearchScope) => (scope.groupIds === undefined ? null : [...scope.groupIds])

/** Passages by their words, best first: positive BM25 scores. */
export async function findByTerms(
  db: SearchDb,
  scope: SearchScope,
  terms: string,
  most: number,
): Promise<Map<string, number>> {
  const found = await sql<{ chunk_id: string; score: number }>`
    select chunk_id, score from search_chunks_by_terms(
      ${scope.knowledgeBaseId}::uuid, ${terms}, ${scope.includeRestricted}, ${groupsOf(scope)}::uuid[], ${most}::integer
    )`.execute(db)
  return new Map(found.rows.map((row) => [row.chunk_id, row.score]))
}

/** Passages nearest in meaning, best first: cosine similarity to the question. */
export async function findByVector(
  db: SearchDb,
  scope: SearchScope,
  question: { vector: Float32Array; embeddingKey: string },
  most: number,
): Promise<Map<string, number>> {
  const found = await sql<{ chunk_id: string; similarity: number }>`
    select chunk_id, similarity from search_chunks_by_vector(
      ${scope.knowledgeBaseId}::uuid, ${vectorText(question.vector)}::vector, ${question.embeddingKey},
      ${scope.includeRestricted}, ${groupsOf(scope)}::uuid[], ${most}::integer, ${EXACT_UP_TO}::integer
    )`.execute(db)
  return new Map(found.rows.map((row) => [row.chunk_id, row.similarity]))
}

export interface FoundChunk {
  chunkId: string
  documentId: string
  sourceId: string
  ordinal: number
  title: string
  url: string
  anchor: string | undefined
  headingPath: string[]
  text: string
  versionLabel: string | undefined
  /** Cosine similarity to the question, where the passage has a vector. */
  similarity: number | undefined
}

/** The passages themselves, with the similarity of those that only their words had found. Filtered once more. */
export async function readChunks(
  db: SearchDb,
  scope: SearchScope,
  chunkIds: readonly string[],
  question: { vector: Float32Array; embeddingKey: string } | undefined,
): Promise<FoundChunk[]> {
  if (chunkIds.length === 0) return []
  const similarity =
    question === undefined
      ? sql<number | null>`null::double precision`
      : sql<
          number | null
        >`(select 1 - (v.embedding <=> ${vectorText(question.vector)}::vector) from chunk_vectors v
          where v.knowledge_base_id = ${scope.knowledgeBaseId} and v.chunk_id = chunks.id
            and v.embedding_key = ${question.embeddingKey})`
  const rows = await db
    .selectFrom('chunks')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'chunks.knowledge_base_id')
        .onRef('documents.id', '=', 'chunks.document_id')
        .onRef('documents.live_version', '=', 'chunks.version'),
    )
    .innerJoin('sources', (join) =>
      join
        .onRef('sources.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('sources.id', '=', 'documents.source_id'),
    )
    .select([
      'chunks.id',
      'chunks.document_id',
      'documents.source_id',
      'chunks.ordinal',
      'documents.title',
      'documents.url',
      'chunks.anchor',
      'chunks.heading_path',
      'chunks.text',
      'sources.version_label',
      similarity.as('similarity'),
    ])
    .where('chunks.knowledge_base_id', '=', scope.knowledgeBaseId)
    .where('chunks.id', 'in', chunkIds)
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', 'in', [...(scope.groupIds ?? [])]),
    )
    .execute()
  return rows.map((row) => ({
    chunkId: row.id,
    documentId: row.document_id,
    sourceId: row.source_id,
    ordinal: row.ordinal,
    title: row.title,
    url: row.url,
    anchor: row.anchor ?? undefined,
    headingPath: row.heading_path,
    text: row.text,
    versionLabel: row.version_label ?? undefined,
    similarity: row.similarity ?? undefined,
  }))
}

export async function readLanguage(db: SearchDb, knowledgeBaseId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('knowledge_bases')
    .select('language')
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return row?.language ?? undefined
}
