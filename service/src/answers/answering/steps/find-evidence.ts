import type { SearchOutcome } from '../../../content/search/search.ts'
import type { stopwatch } from '../answer-turn.ts'
import type { Evidence } from '../../citations/citations.ts'
import { comparePassages, type ComparedPassages } from '../compare-passages.ts'
import type { Coverage } from '../coverage-gate.ts'
import type { Question } from '../question.ts'
import { chooseEvidence, type ChooseDeps } from './choose-evidence.ts'
import type { AskContext } from './prepare-question.ts'
import { retrieveChunks, type RetrieveDeps } from './retrieve-chunks.ts'

type FindDeps = RetrieveDeps & ChooseDeps & AskContext

export interface FoundEvidence extends Pick<SearchOutcome, 'passages' | 'mode'> {
  /** What was searched for, with its spelling repaired. */
  query: string
  evidence: Evidence[]
  coverage: Coverage
  /** Undefined if the question was not read together with the passages. */
  compared: ComparedPassages | undefined
}

/** Searches for a question, and judges what was found. */
export async function findEvidence(
  sought: string,
  question: Question,
  deps: FindDeps,
  { time, signal }: { time: ReturnType<typeof stopwatch>; signal: AbortSignal },
): Promise<FoundEvidence> {
  const retrieved = await time('retrieve-chunks', () => retrieveChunks(sought, question, deps, signal))
  const { passages, mode, repairedQuery: query = sought } = retrieved
  // A model that writes decides for itself whether the passages answer.
  const isCompared = deps.model === undefined && mode === 'hybrid'
  const compare = () => comparePassages(query, passages, { ...question, ...deps }, signal)
  const compared = isCompared ? await time('compare-passages', compare) : undefined
  const chosen = await time('choose-evidence', () => chooseEvidence(query, retrieved, deps, compared))
  return { ...chosen, query, passages, mode, compared }
}

/** From this share of the question's words on, a page is in the language of the question. */
const SAYS_ALL = 0.99

/** What was found for a question in another language, or for the same in English, whichever is likelier to answer. */
export async function likelierInEnglish(
  found: FoundEvidence,
  english: string | undefined,
  find: (query: string) => Promise<FoundEvidence>,
): Promise<FoundEvidence> {
  const { isCovered, features } = found.coverage
  if (english === undefined || (isCovered && features.coverage >= SAYS_ALL)) return found
  const other = await find(english)
  return other.coverage.confidence > found.coverage.confidence ? other : found
}
