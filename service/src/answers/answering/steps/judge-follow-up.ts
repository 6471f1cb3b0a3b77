import { contentWordsOf } from '../../citations/citations.ts'
import { comparePassages, type ComparedPassages } from '../compare-passages.ts'
import { comparedFeatures, coverageFeatures, judgeCoverage, type Coverage } from '../coverage-gate.ts'
import type { Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'
import { retrieveChunks, type RetrieveDeps } from './retrieve-chunks.ts'

/** Below both, what a follow-up asks itself is on none of the pages: how likely they answer it alone, and how near they are to its words. */
const LEAST = { confidence: 0.2, nearest: 0.57 }

/** How likely the pages answer a query as it is, without anything that was said before. */
export async function judgeAlone(
  query: string,
  question: Question,
  deps: RetrieveDeps & Pick<AskContext, 'zeroRetention' | 'embedder'>,
  signal: AbortSignal,
): Promise<Coverage> {
  const found = await retrieveChunks(query, question, deps, signal)
  const { embedder } = deps
  const { language } = question
  const compared = await comparePassages(query, found.passages, { embedder, language }, signal)
  return judgeCoverage({ ...coverageFeatures(query, found), ...(compared && comparedFeatures(compared)) })
}

/**
 * Judges a follow-up that was completed by the words of earlier questions. These words are on the pages, since the earlier questions were
 * answered from them: "best pizza recipe" would be covered wherever something was asked before.
 *
 * @param asked `own`: as it was asked; `sought`: as it was searched for; `alone`: how likely the pages answer the former
 */
export async function judgeFollowUp(
  asked: {
    own: string
    sought: string
    compared: ComparedPassages | undefined
    alone: () => Promise<Coverage>
  },
  coverage: Coverage,
): Promise<Coverage> {
  const { own, sought, compared } = asked
  const isCompleted = sought !== own && sought.startsWith(own)
  if (!isCompleted || compared === undefined || !coverage.isCovered) return coverage
  if (contentWordsOf(own).length === 0) return coverage
  const words = own.split(/\s+/).filter((word) => word !== '').length
  if (Math.max(...compared.nearestToFirst(words)) >= LEAST.nearest) return coverage
  const alone = await asked.alone()
  return alone.confidence < LEAST.confidence ? { ...alone, isCovered: false } : coverage
}
