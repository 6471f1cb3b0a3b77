import { redactError } from '../../kernel/redact-error.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { Addressed } from '../addresses/addresses.ts'
import { analyseAskedTerms, baseLanguage } from '../text-terms/text-terms.ts'
import { gatherCandidates } from './gather-candidates.ts'
import { rankCandidates } from './rank-candidates.ts'
import {
  narrowToSources,
  readLanguage,
  type FoundChunk,
  type QuestionVector,
  type SearchDb,
  type SearchScope,
} from './search-store.ts'

export type { SearchScope } from './search-store.ts'

/** A passage that was found, with why. */
export interface Passage extends FoundChunk {
  /** 0 to 1: how well it fits, within this result. */
  score: number
  /** Part of the question's words that it holds, 0 to 1; rare ones count more. */
  coverage: number
  /** BM25 of the passage, where its words matched. */
  lexicalScore: number | undefined
}

export interface SearchRequest extends SearchScope {
  query: string
  /** Language of the base: how the words of the question are analysed. */
  language: string | undefined
  /** Passages wanted. */
  limit: number
  /** The question may not be remembered, nor told to the log: zero data retention. */
  keepsNothing?: boolean | undefined
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
  /** Where a document opens. */
  addressOf: (document: Addressed) => string
  /** Told when the model fails on a question, which is then answered by its words alone. */
  onEmbedderFailed?: (fault: unknown) => void
  /** Told when the index of words of a base cannot be read. */
  onWordsFailed?: (fault: unknown, knowledgeBaseId: string) => void
}

export function createSearch({ db, embedder, addressOf, onEmbedderFailed, onWordsFailed }: SearchDeps) {
  async function questionVector(
    query: string,
    keepsNothing: boolean,
    signal: AbortSignal,
  ): Promise<QuestionVector | undefined> {
    if (embedder === undefined) return undefined
    try {
      const vector = await embedder.embedQuery(query, signal, keepsNothing)
      return { vector, embeddingKey: embedder.key }
    } catch (fault) {
      signal.throwIfAborted()
      onEmbedderFailed?.(keepsNothing ? redactError(fault) : fault)
      return undefined
    }
  }

  /** The best passages for a question among those that the scope may see, best first. */
  async function findPassages(given: SearchRequest): Promise<SearchOutcome> {
    const request =
      given.sourceIds === undefined ? given : { ...given, ...(await narrowToSources(db, given)) }
    const { query, language, limit, signal } = request
    const asked = analyseAskedTerms(query, language)
    const question = questionVector(query, request.keepsNothing === true, signal)
    // Where something else fails first, nobody waits for it any more.
    question.catch(() => {})
    const most = Math.max(CANDIDATES, limit)
    const found = await gatherCandidates(db, request, {
      query,
      asked,
      question,
      most,
      onWordsFailed: (fault) => onWordsFailed?.(fault, request.knowledgeBaseId),
    })
    signal.throwIfAborted()
    const ranked = rankCandidates(asked, found, language, trustIn(embedder, language))
    const passages = found
      .map(({ terms: _terms, wordPlace: _word, pagePlace: _page, ...chunk }, place) => ({
        ...chunk,
        score: ranked[place]?.score ?? 0,
        coverage: ranked[place]?.features.coverage ?? 0,
      }))
      .sort((left, right) => right.score - left.score)
      .slice(0, limit)
      // Only now: the words of a path tell what a page is about, those of our own addresses do not.
      .map((passage) => ({ ...passage, url: addressOf(passage) }))
    return { passages, mode: (await question) === undefined ? 'lexical' : 'hybrid' }
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

/** What the vectors of a model are worth on texts of another language than its own. */
const TRUST_ABROAD = 0.1

/** How far the model's vectors are to be trusted on a base of this language. */
function trustIn(embedder: Embedder | undefined, language: string | undefined): number {
  const isAtHome =
    embedder?.language === undefined || language === undefined || baseLanguage(language) === embedder.language
  return isAtHome ? 1 : TRUST_ABROAD
}
