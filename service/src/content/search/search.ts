import { redactError } from '../../kernel/redact-error.ts'
import type { EmbedderInUse } from '../../platform/embedding/embedder-in-use.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { AddressedDocument } from '../addresses/addresses.ts'
import { analyseQuestionTerms, baseLanguage } from '../text-terms/text-terms.ts'
import { createPageCounter } from './count-pages.ts'
import { gatherCandidates } from './gather-candidates.ts'
import { createLargeScopes } from './large-scopes.ts'
import type { Passage } from './passage.ts'
import { rankCandidates } from './rank-candidates.ts'
import { repairSpelling } from './repair-spelling.ts'
import { narrowToSources, type QuestionVector, type SearchDb, type SearchScope } from './search-store.ts'

export type { Passage } from './passage.ts'
export { MAX_PAGES_COUNTED } from './search-store.ts'

export interface SearchRequest extends SearchScope {
  query: string
  /** Language of the base: decides how the words of the question are analysed. */
  language: string | undefined
  /** Maximum number of passages to return. */
  limit: number
  /** Zero retention: the question must not be cached or logged. */
  zeroRetention?: boolean | undefined
  signal: AbortSignal
}

export interface SearchOutcome {
  passages: Passage[]
  /** Number of pages that were searched, up to `MAX_PAGES_COUNTED`. */
  pages: number
  /** What was searched for, if the spelling of the query was repaired. */
  repairedQuery?: string | undefined
  /** `lexical` when there is no embedding model: only words decided. */
  mode: 'hybrid' | 'lexical'
}

/** Minimum number of candidates per search method. */
const CANDIDATES = 60

export interface SearchDeps {
  db: SearchDb
  embedder: EmbedderInUse
  /** The address at which a document opens. */
  addressOf: (document: AddressedDocument) => string
  /** Called when the embedding model fails on a question, which is then answered by its words alone. */
  onEmbedderFailed?: (fault: unknown) => void
  /** Called when the word index of a base cannot be read. */
  onWordIndexFailed?: (fault: unknown, knowledgeBaseId: string) => void
}

export function createSearch({ db, embedder, addressOf, onEmbedderFailed, onWordIndexFailed }: SearchDeps) {
  const countPages = createPageCounter(db, () => performance.now())
  const largeScopes = createLargeScopes(() => performance.now())

  async function questionVector(
    embedder: Embedder | undefined,
    query: string,
    zeroRetention: boolean,
    signal: AbortSignal,
  ): Promise<QuestionVector | undefined> {
    if (embedder === undefined) return undefined
    try {
      const vector = await embedder.embedQuery(query, signal, zeroRetention)
      return { vector, embeddingKey: embedder.key }
    } catch (fault) {
      signal.throwIfAborted()
      onEmbedderFailed?.(zeroRetention ? redactError(fault) : fault)
      return undefined
    }
  }

  /** The candidates for a query within the scope of the request. */
  async function gather(request: SearchRequest, query: string, embedder: Embedder | undefined) {
    const { language, limit, signal } = request
    const questionTerms = analyseQuestionTerms(query, language)
    const question = questionVector(embedder, query, request.zeroRetention === true, signal)
    // If something else fails first, nothing awaits this promise: avoid an unhandled rejection.
    question.catch(() => {})
    const found = await gatherCandidates(db, request, {
      query,
      questionTerms,
      question,
      most: Math.max(CANDIDATES, limit),
      largeScopes,
      onWordIndexFailed: (fault) => onWordIndexFailed?.(fault, request.knowledgeBaseId),
    })
    signal.throwIfAborted()
    return { found, questionTerms, isEmbedded: (await question) !== undefined }
  }

  /** The best passages for a question within the scope, best first. */
  async function findPassages(given: SearchRequest): Promise<SearchOutcome> {
    const request =
      given.sourceIds === undefined ? given : { ...given, ...(await narrowToSources(db, given)) }
    const { query, language, limit } = request
    const current = embedder()
    const asked = await gather(request, query, current)
    const trust = embeddingTrust(current, language)
    const knowsWord = trust === 1 ? current?.knowsWord : undefined
    const repaired =
      knowsWord === undefined ? undefined : repairSpelling(query, asked.found, { knowsWord, language })
    const { found, questionTerms, isEmbedded } =
      repaired === undefined ? asked : await gather(request, repaired.query, current)
    const ranked = rankCandidates(questionTerms, found, language, trust)
    const passages = found
      .map(({ terms: _terms, wordRank: _word, pageWordRank: _page, ...chunk }, index) => ({
        ...chunk,
        score: ranked[index]?.score ?? 0,
        coverage: ranked[index]?.features.coverage ?? 0,
      }))
      .sort((left, right) => right.score - left.score)
      .slice(0, limit)
      // Done last, because ranking uses the words of the stored path; those of our own addresses say nothing about a page.
      .map((passage) => ({ ...passage, url: addressOf(passage) }))
    const mode = isEmbedded ? 'hybrid' : 'lexical'
    return { passages, mode, pages: await countPages(request), repairedQuery: repaired?.query }
  }

  /** The best pages, each once with its best passage, best first. */
  async function findPages(request: SearchRequest): Promise<SearchOutcome> {
    // A page often has several of the best passages: request enough to fill the list with distinct pages.
    const outcome = await findPassages({ ...request, limit: request.limit * 6 })
    const seen = new Set<string>()
    const pages = outcome.passages.filter((passage) => {
      if (seen.has(passage.documentId)) return false
      seen.add(passage.documentId)
      return true
    })
    return { ...outcome, passages: pages.slice(0, request.limit) }
  }

  return { findPassages, findPages }
}

export type Search = ReturnType<typeof createSearch>

/** Weight of a model's vectors on texts in a language other than the model's own. */
const CROSS_LANGUAGE_WEIGHT = 0.1

/** Whether the model was trained on the language of a base. True if one of the two is unknown. */
export const understands = (
  embedder: Pick<Embedder, 'language'> | undefined,
  language: string | undefined,
): boolean =>
  embedder?.language === undefined || language === undefined || baseLanguage(language) === embedder.language

/** How far the model's vectors can be trusted on a base in this language. */
const embeddingTrust = (embedder: Embedder | undefined, language: string | undefined): number =>
  understands(embedder, language) ? 1 : CROSS_LANGUAGE_WEIGHT
