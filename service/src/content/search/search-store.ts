import { sql } from 'kysely'
import type { ChunkPlace } from '../chunking/chunking.ts'
import type { Candidate } from './passage.ts'
import type { LargeScopes } from './large-scopes.ts'
import type { SearchScope } from './search-scope.ts'
import { MAX_PLACES } from '../reading/reading.ts'
import { comparePacked } from '../../platform/embedding/packed-vectors.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { vectorBytes } from '../../platform/storage/vector-bytes.ts'

export type { SearchScope } from './search-scope.ts'

export type SearchDb = Db<'documents' | 'chunks' | 'chunk_vectors' | 'sources' | 'knowledge_bases'>

/** A question's vector, and the embedding key of the vectors it may be compared with. */
export interface QuestionVector {
  vector: Float32Array
  embeddingKey: string
}

/**
 * Runs statements on the documents of the scope. Those of a source that is held are in a view of the same name as their table, in a schema
 * that is looked up first: see migration 0045.
 */
async function onDocumentsOf<Result>(
  db: SearchDb,
  { heldOf }: SearchScope,
  run: (on: SearchDb) => Promise<Result>,
): Promise<Result> {
  if (heldOf === undefined) return await run(db)
  const runHeld = async (transaction: SearchDb) => {
    await sql`select set_config('citewell.held_source', ${heldOf}, true),
      set_config('search_path', 'held_versions, ' || current_setting('search_path'), true)`.execute(
      transaction,
    )
    return await run(transaction)
  }
  return await (db.isTransaction ? runHeld(db) : db.transaction().execute(runHeld))
}

/**
 * Number of readable passages up to which every vector is compared; above it the HNSW index is used. Comparing 5,000 takes about 20 ms on
 * the embedded engine; an index walk under a narrow filter takes longer and misses results.
 */
const EXACT_SEARCH_LIMIT = 5_000

/** Ids of the groups or the sources that results must belong to (the database accepts either); null for everything. */
function scopeIds({ groupIds, sourceIds }: SearchScope): string[] | null {
  if (sourceIds !== undefined && groupIds !== undefined)
    throw new Error('A search scope takes groups or sources, not both: call narrowToSources first.')
  const ids = sourceIds ?? groupIds
  return ids === undefined ? null : [...ids]
}

/** The same scope expressed as sources only: if it names both, the sources that are in one of the groups. */
export async function narrowToSources(
  db: SearchDb,
  scope: SearchScope,
): Promise<Pick<SearchScope, 'groupIds' | 'sourceIds'>> {
  const { knowledgeBaseId, groupIds, sourceIds } = scope
  if (sourceIds === undefined || groupIds === undefined) return { groupIds, sourceIds }
  const rows = await db
    .selectFrom('sources')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', sql<string>`any(${[...sourceIds]}::uuid[])`)
    .where('source_group_id', '=', sql<string>`any(${[...groupIds]}::uuid[])`)
    .execute()
  return { groupIds: undefined, sourceIds: rows.map(({ id }) => id) }
}

interface CandidateRow {
  id: string
  document_id: string
  source_id: string
  ordinal: number
  title: string
  url: string
  anchor: string | null
  places: ChunkPlace[]
  heading_path: string[]
  text: string
  terms: string
  sentences: Buffer | null
  version_label: string | null
  similarity: number | null
  reading: string | null
  word_rank: number | null
  lexical_score: number | null
  page_word_rank: number | null
  compared_all: boolean | null
}

/** What is searched for, and how much each way of searching may contribute. */
export interface CandidateSearch {
  /** Analysed words of the question, with blanks between them; '' searches by meaning alone. */
  terms: string
  /** Undefined searches by words alone. */
  question: QuestionVector | undefined
  most: {
    passages: number
    /** Pages found by their words. */
    pages: number
    /** Of these, how many contribute their best passage if none of theirs was found. */
    pagesTaken: number
  }
  /** Scopes that are known to have more passages than are compared one by one. */
  largeScopes: LargeScopes
}

/**
 * Finds passages by their words and by their meaning, and the best passage of each page found by its words that has none among them. All
 * come from one state of the database.
 */
export async function findCandidates(
  db: SearchDb,
  scope: SearchScope,
  { terms, question, most, largeScopes }: CandidateSearch,
): Promise<Candidate[]> {
  const vector = question === undefined ? null : vectorBytes(question.vector)
  const compare = question === undefined ? undefined : comparePacked(question.vector)
  const exactUpTo = largeScopes.has(scope) ? 0 : EXACT_SEARCH_LIMIT
  const candidates = sql<CandidateRow>`
    select * from find_candidates(
      ${scope.knowledgeBaseId}::uuid, ${terms}, ${vector}::vector, ${question?.embeddingKey ?? ''}, ${scope.includeRestricted},
      ${scopeIds(scope)}::uuid[], ${most.passages}::integer, ${most.pages}::integer, ${most.pagesTaken}::integer,
      ${exactUpTo}::integer
    )`
  const { rows } = await onDocumentsOf(db, scope, async (on) => await candidates.execute(on))
  if (exactUpTo > 0 && rows[0]?.compared_all === false) largeScopes.remember(scope)
  return rows.map((row) => ({
    chunkId: row.id,
    documentId: row.document_id,
    sourceId: row.source_id,
    ordinal: row.ordinal,
    title: row.title,
    url: row.url,
    anchor: row.anchor ?? undefined,
    places: placesWithin(row),
    headingPath: row.heading_path.slice(0, MAX_LEVELS),
    text: row.text,
    reading: row.reading ?? undefined,
    versionLabel: row.version_label ?? undefined,
    terms: row.terms,
    wordRank: row.word_rank ?? undefined,
    pageWordRank: row.page_word_rank ?? undefined,
    similarity: row.similarity ?? undefined,
    sentenceSimilarity: nearestSentence(row.sentences, compare),
    lexicalScore: row.lexical_score ?? undefined,
  }))
}

/** Maximum number of headings above a passage that are returned. */
const MAX_LEVELS = 12

/** Drops invalid places: passages indexed before the length limit existed may have places past their end, or too many. */
const placesWithin = ({ places, text }: CandidateRow) =>
  places.length === 0 ? places : places.filter(({ at }) => at < text.length).slice(0, MAX_PLACES)

function nearestSentence(
  packed: Buffer | null,
  compare: ((packed: Uint8Array) => number[]) | undefined,
): number | undefined {
  const similarities = packed === null ? undefined : compare?.(packed)
  return similarities === undefined || similarities.length === 0 ? undefined : Math.max(...similarities)
}

/** Pages are not counted further than this. */
export const MAX_PAGES_COUNTED = 2_500

/** Number of pages in the scope, up to `MAX_PAGES_COUNTED`. */
export async function countReadablePages(db: SearchDb, scope: SearchScope): Promise<number> {
  const ids = sql`${scopeIds(scope)}::uuid[]`
  const { rows } = await sql<{ pages: number }>`
    select count(*)::integer as pages from (
      select from documents d
      where d.knowledge_base_id = ${scope.knowledgeBaseId}::uuid and d.live_version is not null
        and (${scope.includeRestricted} or d.visibility = 'public')
        and (${ids} is null or d.source_id in (
          select s.id from sources s where s.knowledge_base_id = ${scope.knowledgeBaseId}::uuid
            and (s.source_group_id = any (${ids}) or s.id = any (${ids}))))
      limit ${MAX_PAGES_COUNTED}
    ) readable`.execute(db)
  return rows[0]?.pages ?? 0
}

/** Version labels of the sources in the scope. */
export async function readVersionLabels(db: SearchDb, scope: SearchScope): Promise<string[]> {
  const rows = await db
    .selectFrom('sources')
    .select('version_label')
    .distinct()
    .where('knowledge_base_id', '=', scope.knowledgeBaseId)
    .where('version_label', 'is not', null)
    .where(
      sql<boolean>`(${scopeIds(scope)}::uuid[] is null or source_group_id = any(${scopeIds(scope)}::uuid[])
        or id = any(${scopeIds(scope)}::uuid[]))`,
    )
    .execute()
  return rows.flatMap((row) => row.version_label ?? [])
}
