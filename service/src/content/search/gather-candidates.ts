import { isBrokenWordIndex } from './broken-word-index.ts'
import type { LargeScopes } from './large-scopes.ts'
import { mayNameVersion, namedVersions } from './named-version.ts'
import type { Candidate } from './passage.ts'
import {
  findCandidates,
  readVersionLabels,
  type QuestionVector,
  type SearchDb,
  type SearchScope,
} from './search-store.ts'

interface CandidateRequest {
  query: string
  /** Analysed words of the question, in order. */
  questionTerms: readonly string[]
  /** The question's vector. */
  question: Promise<QuestionVector | undefined>
  /** Maximum number of passages that each search method contributes. */
  most: number
  largeScopes: LargeScopes
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
 * each page whose words match as a whole.
 */
async function gatherAll(db: SearchDb, scope: SearchScope, request: CandidateRequest): Promise<Candidate[]> {
  const { questionTerms, most, largeScopes, onWordIndexFailed } = request
  const question = await request.question
  const half = Math.ceil(most / 2)
  const wanted = { passages: most, pages: Math.max(PAGES, half), pagesTaken: Math.max(PAGES_TAKEN, half) }
  const find = async (terms: string) =>
    await findCandidates(db, scope, { terms, question, most: wanted, largeScopes })
  try {
    // A word that occurs twice in the question counts twice.
    return await find(questionTerms.join(' '))
  } catch (fault) {
    if (onWordIndexFailed === undefined || !isBrokenWordIndex(fault)) throw fault
    onWordIndexFailed(fault)
    return await find('')
  }
}
