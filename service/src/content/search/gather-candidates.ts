import { isBrokenWordIndex } from './broken-word-index.ts'
import { mayNameVersion, namedVersions } from './named-version.ts'
import type { Candidate } from './ranking-features.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import {
  findByWords,
  readCandidates,
  readVersionLabels,
  type FoundByWords,
  type FoundChunk,
  type QuestionVector,
  type ReadChunk,
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
  /** The question's vector, on its way while the words are looked for. */
  question: Promise<QuestionVector | undefined>
  /** Passages that each way of searching may bring in. */
  most: number
  /** Told where the index of words cannot be read; the question is then answered by meaning alone. */
  onWordsFailed?: ((fault: unknown) => void) | undefined
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
 * passage of each page whose words together speak of it. Of one state of the database: where a document was replaced between
 * the two statements, both are done again in one snapshot. That is seldom, and holding one while a remote model thinks would
 * hold up everybody else on the embedded engine.
 */
async function gatherAll(db: SearchDb, scope: SearchScope, wanted: Wanted): Promise<FoundCandidate[]> {
  const [found, question] = await Promise.all([findOrNothing(db, scope, wanted), wanted.question])
  const chunks = await read(db, scope, found, question, wanted.most)
  const isThere = new Set(chunks.map(({ chunkId }) => chunkId))
  if (found.passages.keys().every((id) => isThere.has(id))) return candidatesOf(found, chunks)
  return await inOneSnapshot(db, async (snapshot) => {
    const again = await find(snapshot, scope, wanted)
    return candidatesOf(again, await read(snapshot, scope, again, question, wanted.most))
  })
}

async function findOrNothing(db: SearchDb, scope: SearchScope, wanted: Wanted): Promise<FoundByWords> {
  try {
    return await find(db, scope, wanted)
  } catch (fault) {
    if (wanted.onWordsFailed === undefined || !isBrokenWordIndex(fault)) throw fault
    wanted.onWordsFailed(fault)
    return { passages: new Map(), pages: [] }
  }
}

async function find(db: SearchDb, scope: SearchScope, { asked, most }: Wanted): Promise<FoundByWords> {
  // A word asked twice counts twice.
  const pages = Math.max(PAGES, Math.ceil(most / 2))
  return await findByWords(db, scope, asked.join(' '), { passages: most, pages })
}

async function read(
  db: SearchDb,
  scope: SearchScope,
  { passages, pages }: FoundByWords,
  question: QuestionVector | undefined,
  most: number,
): Promise<ReadChunk[]> {
  const pageIds = pages.slice(0, Math.max(PAGES_TAKEN, Math.ceil(most / 2)))
  return await readCandidates(db, scope, { passageIds: [...passages.keys()], pageIds }, question, most)
}

function candidatesOf({ passages, pages }: FoundByWords, chunks: readonly ReadChunk[]): FoundCandidate[] {
  const wordPlaces = new Map([...passages.keys()].map((id, place) => [id, place]))
  const pagePlaces = new Map(pages.map((id, place) => [id, place]))
  return chunks.map((chunk) => ({
    ...chunk,
    terms: chunk.terms.split(' '),
    wordPlace: wordPlaces.get(chunk.chunkId),
    pagePlace: pagePlaces.get(chunk.documentId),
    lexicalScore: passages.get(chunk.chunkId),
  }))
}
