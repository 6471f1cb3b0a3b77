import { isBrokenWordIndex } from './broken-word-index.ts'
import { mayNameVersion, namedVersions } from './named-version.ts'
import type { Candidate } from './passage.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import {
  findByWords,
  readCandidates,
  readVersionLabels,
  type FoundByWords,
  type QuestionVector,
  type SearchDb,
  type SearchScope,
} from './search-store.ts'

interface CandidateRequest {
  query: string
  /** Analysed words of the question, in order. */
  questionTerms: readonly string[]
  /** The question's vector, embedded while the word search runs. */
  question: Promise<QuestionVector | undefined>
  /** Maximum number of passages that each search method contributes. */
  most: number
  /** Called when the word index cannot be read; the question is then answered by meaning alone. */
  onWordIndexFailed?: ((fault: unknown) => void) | undefined
}

/** Pages requested from the search over the words of whole pages. */
const PAGES = 40
/** Of these, how many contribute their best passage if none of their passages was found on its own. */
const PAGES_TAKEN = 30

/** Candidates of one search method when the wanted version is one of many. */
const MAX_CANDIDATES_OF_VERSIONS = 400

/**
 * The candidates of the versions that a question names, if it names any that the base has and they contain candidates. The pages of two
 * versions differ in little else.
 */
export async function gatherCandidates(
  db: SearchDb,
  scope: SearchScope,
  request: CandidateRequest,
): Promise<Candidate[]> {
  const labels = mayNameVersion(request.query) ? await readVersionLabels(db, scope) : []
  const versions = new Set(namedVersions(request.query, labels))
  if (versions.size === 0) return await gatherAll(db, scope, request)
  const most = Math.max(request.most, Math.min(MAX_CANDIDATES_OF_VERSIONS, request.most * labels.length))
  const all = await gatherAll(db, scope, { ...request, most })
  const named = all.filter(({ versionLabel }) => versionLabel !== undefined && versions.has(versionLabel))
  return named.length > 0 ? named : all
}

/**
 * Gathers everything that may hold the answer: passages with the question's words, passages near to it in meaning, and the best passage of
 * each page whose words match as a whole. All results come from one state of the database: if a document is replaced between the two
 * statements, both are repeated in one snapshot. That is rare, and holding a snapshot while a remote model embeds the question would block
 * everyone else on the embedded engine.
 */
async function gatherAll(db: SearchDb, scope: SearchScope, request: CandidateRequest): Promise<Candidate[]> {
  const [found, question] = await Promise.all([findOrNothing(db, scope, request), request.question])
  const candidates = await read(db, scope, found, question, request.most)
  const isThere = new Set(candidates.map(({ chunkId }) => chunkId))
  if (found.passages.keys().every((id) => isThere.has(id))) return candidates
  return await inOneSnapshot(db, async (snapshot) => {
    const again = await find(snapshot, scope, request)
    return await read(snapshot, scope, again, question, request.most)
  })
}

async function findOrNothing(
  db: SearchDb,
  scope: SearchScope,
  request: CandidateRequest,
): Promise<FoundByWords> {
  try {
    return await find(db, scope, request)
  } catch (fault) {
    if (request.onWordIndexFailed === undefined || !isBrokenWordIndex(fault)) throw fault
    request.onWordIndexFailed(fault)
    return { passages: new Map(), pages: [] }
  }
}

async function find(
  db: SearchDb,
  scope: SearchScope,
  { questionTerms, most }: CandidateRequest,
): Promise<FoundByWords> {
  // A word that occurs twice in the question counts twice.
  const pages = Math.max(PAGES, Math.ceil(most / 2))
  return await findByWords(db, scope, questionTerms.join(' '), { passages: most, pages })
}

async function read(
  db: SearchDb,
  scope: SearchScope,
  found: FoundByWords,
  question: QuestionVector | undefined,
  most: number,
): Promise<Candidate[]> {
  const pages = Math.max(PAGES_TAKEN, Math.ceil(most / 2))
  return await readCandidates(db, scope, found, question, { pages, passages: most })
}
