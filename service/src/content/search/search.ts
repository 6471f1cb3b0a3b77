import type { Embedder } from '../../platform/embedding/embedder.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import { analyseTerms } from '../text-terms/text-terms.ts'
import { fuseScores } from './fuse-scores.ts'
import {
  findByTerms,
  findByVector,
  readChunks,
  readLanguage,
  type FoundChunk,
  type SearchDb,
  type SearchScope,
} from './search-store.ts'

export type { SearchScope } from './search-store.ts'

/** A passage that was found, with why. */
export interface Passage extends FoundChunk {
  /** 0 to 1: the fused score within this result. */
  score: number
  /** BM25 of the passage, where its words matched. */
  lexicalScore: number | undefined
}

export interface SearchRequest extends SearchScope {
  query: string
  /** Language of the base: how the words of the question are analysed. */
  language: string | undefined
  /** Passages wanted. */
  limit: number
  signal: AbortSignal
}

export interface SearchOutcome {
  passages: Passage[]
  /** `lexical` when there is no embedding model: words alone decided. */
  mode: 'hybrid' | 'lexical'
}

/** Candidates that each way of searching brings in, at least. */
const CANDIDATES = 60

export interface SearchDeps {
  db: SearchDb
  embedder: Embedder | undefined
  /** Told when the model fails on a question, which is then answered by its words alone. */
  onEmbedderFailed?: (fault: unknown) => void
}

export function createSearch({ db, embedder, onEmbedderFailed }: SearchDeps) {
  async function questionVector(query: string, signal: AbortSignal) {
    if (embedder === undefined) return undefined
    try {
      return { vector: await embedder.embedQuery(query, signal), embeddingKey: embedder.key }
    } catch (fault) {
      signal.throwIfAborted()
      onEmbedderFailed?.(fault)
      return undefined
    }
  }

  /** The best passages for a question among those that the scope may see, best first. */
  async function findPassages(request: SearchRequest): Promise<SearchOutcome> {
    const most = Math.max(CANDIDATES, request.limit)
    // A word asked twice counts twice.
    const terms = analyseTerms(request.query, request.language).join(' ')
    const question = await questionVector(request.query, request.signal)
    const { byTerms, candidates } = await inOneSnapshot(db, async (snapshot) => {
      const byTerms = await findByTerms(snapshot, request, terms, most)
      const byVector =
        question === undefined
          ? new Map<string, number>()
          : await findByVector(snapshot, request, question, most)
      const ids = [...new Set([...byTerms.keys(), ...byVector.keys()])]
      return { byTerms, candidates: await readChunks(snapshot, request, ids, question) }
    })
    request.signal.throwIfAborted()
    const similarities = new Map(
      candidates.flatMap((chunk) =>
        chunk.similarity === undefined ? [] : [[chunk.chunkId, chunk.similarity]],
      ),
    )
    const fused = fuseScores(byTerms, similarities)
    const passages = candidates
      .map((chunk) => ({
        ...chunk,
        score: fused.get(chunk.chunkId) ?? 0,
        lexicalScore: byTerms.get(chunk.chunkId),
      }))
      .sort((left, right) => right.score - left.score)
      .slice(0, request.limit)
    return { passages, mode: question === undefined ? 'lexical' : 'hybrid' }
  }

  /** The best pages, one entry each with its best passage, best first. */
  async function findPages(request: SearchRequest): Promise<SearchOutcome> {
    // Several passages of a page usually stand among the first: ask for enough to fill the list with pages.
    const outcome = await findPassages({ ...request, limit: request.limit * 6 })
    const seen = new Set<string>()
    const pages = outcome.passages.filter((passage) => {
      if (seen.has(passage.documentId)) return false
      seen.add(passage.documentId)
      return true
    })
    return { ...outcome, passages: pages.slice(0, request.limit) }
  }

  /** Language of a base's words, for callers that do not have the base at hand. */
  const languageOf = (knowledgeBaseId: string) => readLanguage(db, knowledgeBaseId)

  return { findPassages, findPages, languageOf }
}

export type Search = ReturnType<typeof createSearch>
