import { mayNameVersion, namedVersions } from './named-version.ts'
import type { Candidate } from './ranking-features.ts'
import {
  findBestOfPages,
  findByTerms,
  findByVector,
  findPagesByTerms,
  readChunks,
  readVersionLabels,
  type FoundChunk,
  type QuestionVector,
  type SearchDb,
  type SearchScope,
} from './search-store.ts'

export interface FoundCandidate extends FoundChunk, Candidate {
  /** BM25 of the passage, where its words matched. */
  lexicalScore: number | undefined
}

interface Wanted {
  query: string
  /** The question's analysed words, in their order. */
  asked: readonly string[]
  question: QuestionVector | undefined
  /** Passages that each way of searching may bring in. */
  most: number
}

/** Pages asked of the words of whole pages. */
const PAGES = 40
/** Of these, so many bring in their best passage where none of them was found by itself. */
const PAGES_TAKEN = 30

/** Candidates of one way of searching, where the wanted version is one among many. */
const MOST_OF_ALL_VERSIONS = 400

/**
 * The candidates of the versions that a question names, where it names any of the base's and there is something of them:
 * the pages of two versions differ in little else.
 */
export async function gatherCandidates(
  db: SearchDb,
  scope: SearchScope,
  wanted: Wanted,
): Promise<FoundCandidate[]> {
  const labels = mayNameVersion(wanted.query) ? await readVersionLabels(db, scope) : []
  const versions = new Set(namedVersions(wanted.query, labels))
  if (versions.size === 0) return await gatherAll(db, scope, wanted)
  const most = Math.max(wanted.most, Math.min(MOST_OF_ALL_VERSIONS, wanted.most * labels.length))
  const all = await gatherAll(db, scope, { ...wanted, most })
  const named = all.filter(({ versionLabel }) => versionLabel !== undefined && versions.has(versionLabel))
  return named.length > 0 ? named : all
}

/**
 * Everything that may hold the answer: passages with the question's words, passages near to it in meaning, and the best
 * passage of each page whose words together speak of it.
 */
async function gatherAll(db: SearchDb, scope: SearchScope, wanted: Wanted): Promise<FoundCandidate[]> {
  const { question, most } = wanted
  // A word asked twice counts twice.
  const terms = wanted.asked.join(' ')
  const byTerms = await findByTerms(db, scope, terms, most)
  const pages = await findPagesByTerms(db, scope, terms, Math.max(PAGES, Math.ceil(most / 2)))
  const byVector = question === undefined ? [] : (await findByVector(db, scope, question, most)).keys()
  const chunks = await readChunks(db, scope, [...new Set([...byTerms.keys(), ...byVector])], question)

  const isThere = new Set(chunks.map((chunk) => chunk.documentId))
  const missing = pages.slice(0, Math.max(PAGES_TAKEN, Math.ceil(most / 2))).filter((id) => !isThere.has(id))
  const best = await findBestOfPages(db, scope.knowledgeBaseId, missing, question)
  const all = [...chunks, ...(await readChunks(db, scope, best, question))]

  const wordPlaces = new Map([...byTerms.keys()].map((id, place) => [id, place]))
  const pagePlaces = new Map(pages.map((id, place) => [id, place]))
  return all.map((chunk) => ({
    ...chunk,
    terms: chunk.terms.split(' '),
    wordPlace: wordPlaces.get(chunk.chunkId),
    pagePlace: pagePlaces.get(chunk.documentId),
    lexicalScore: byTerms.get(chunk.chunkId),
  }))
}
