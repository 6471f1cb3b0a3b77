import { sql } from 'kysely'
import type { ChunkPlace } from '../chunking/chunking.ts'
import { packedSimilarities } from '../../platform/embedding/packed-vectors.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { vectorText } from '../../platform/storage/vector-text.ts'

export type SearchDb = Db<'documents' | 'chunks' | 'chunk_vectors' | 'sources' | 'knowledge_bases'>

/** A question's vector, and which vectors it may be compared with. */
export interface QuestionVector {
  vector: Float32Array
  embeddingKey: string
}

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

/** Pages by all of their words, best first. */
export async function findPagesByTerms(
  db: SearchDb,
  scope: SearchScope,
  terms: string,
  most: number,
): Promise<string[]> {
  const found = await sql<{ document_id: string }>`
    select document_id from search_pages_by_terms(
      ${scope.knowledgeBaseId}::uuid, ${terms}, ${scope.includeRestricted}, ${groupsOf(scope)}::uuid[], ${most}::integer
    )`.execute(db)
  return found.rows.map((row) => row.document_id)
}

/** Pages with more passages than this are not compared passage by passage. */
const LONGEST_COMPARED = 150

/**
 * Of each page, the passage nearest in meaning; without a question's vector its first one. Ids only, of pages that the scope
 * may see: what is shown of them is read by `readChunks`.
 */
export async function findBestOfPages(
  db: SearchDb,
  knowledgeBaseId: string,
  documentIds: readonly string[],
  question: QuestionVector | undefined,
): Promise<string[]> {
  if (documentIds.length === 0) return []
  const ids = sql`any(${[...documentIds]}::uuid[])`
  const found =
    question === undefined
      ? await sql<{ id: string }>`
          select c.id from chunks c
          join documents d on d.knowledge_base_id = c.knowledge_base_id and d.id = c.document_id
            and d.live_version = c.version
          where c.knowledge_base_id = ${knowledgeBaseId} and c.document_id = ${ids} and c.ordinal = 0`.execute(
          db,
        )
      : await sql<{ id: string }>`
          select distinct on (v.document_id) v.chunk_id as id from chunk_vectors v
          join documents d on d.knowledge_base_id = v.knowledge_base_id and d.id = v.document_id
            and d.live_version = v.version and d.chunk_count <= ${LONGEST_COMPARED}
          where v.knowledge_base_id = ${knowledgeBaseId} and v.document_id = ${ids}
            and v.embedding_key = ${question.embeddingKey}
          order by v.document_id, v.embedding <=> ${vectorText(question.vector)}::vector`.execute(db)
  return found.rows.map((row) => row.id)
}

/** Passages nearest in meaning, best first: cosine similarity to the question. */
export async function findByVector(
  db: SearchDb,
  scope: SearchScope,
  question: QuestionVector,
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
  places: readonly ChunkPlace[]
  headingPath: string[]
  text: string
  versionLabel: string | undefined
  /** Cosine similarity to the question, where the passage has a vector. */
  similarity: number | undefined
  /** The same of its nearest sentence, where its sentences have vectors. */
  sentenceSimilarity: number | undefined
}

export interface ReadChunk extends FoundChunk {
  /** Its analysed words, in their order. */
  terms: string
}

/** The passages themselves, with the similarity of those that only their words had found. Filtered once more. */
export async function readChunks(
  db: SearchDb,
  scope: SearchScope,
  chunkIds: readonly string[],
  question: QuestionVector | undefined,
): Promise<ReadChunk[]> {
  if (chunkIds.length === 0) return []
  const similarity =
    question === undefined
      ? sql<number | null>`null::double precision`
      : sql<number | null>`1 - (chunk_vectors.embedding <=> ${vectorText(question.vector)}::vector)`
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
    .leftJoin('chunk_vectors', (join) =>
      join
        .onRef('chunk_vectors.knowledge_base_id', '=', 'chunks.knowledge_base_id')
        .onRef('chunk_vectors.chunk_id', '=', 'chunks.id')
        .on('chunk_vectors.embedding_key', '=', question?.embeddingKey ?? ''),
    )
    .select([
      'chunks.id',
      'chunks.document_id',
      'documents.source_id',
      'chunks.ordinal',
      'documents.title',
      'documents.url',
      'chunks.anchor',
      'chunks.places',
      'chunks.heading_path',
      'chunks.text',
      'chunks.terms',
      'chunk_vectors.sentences',
      'sources.version_label',
      similarity.as('similarity'),
    ])
    .where('chunks.knowledge_base_id', '=', scope.knowledgeBaseId)
    .where('chunks.id', '=', sql<string>`any(${[...chunkIds]}::uuid[])`)
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', '=', sql<string>`any(${groupsOf(scope)}::uuid[])`),
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
    places: row.places,
    headingPath: row.heading_path,
    text: row.text,
    versionLabel: row.version_label ?? undefined,
    terms: row.terms,
    similarity: row.similarity ?? undefined,
    sentenceSimilarity: nearestSentence(row.sentences, question),
  }))
}

function nearestSentence(packed: Buffer | null, question: QuestionVector | undefined): number | undefined {
  if (packed === null || question === undefined) return undefined
  const similarities = packedSimilarities(packed, question.vector)
  return similarities.length === 0 ? undefined : Math.max(...similarities)
}

/** Version labels of the sources that the scope may see. */
export async function readVersionLabels(db: SearchDb, scope: SearchScope): Promise<string[]> {
  const rows = await db
    .selectFrom('sources')
    .select('version_label')
    .distinct()
    .where('knowledge_base_id', '=', scope.knowledgeBaseId)
    .where('version_label', 'is not', null)
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('source_group_id', '=', sql<string>`any(${groupsOf(scope)}::uuid[])`),
    )
    .execute()
  return rows.flatMap((row) => row.version_label ?? [])
}

export async function readLanguage(db: SearchDb, knowledgeBaseId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('knowledge_bases')
    .select('language')
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return row?.language ?? undefined
}
