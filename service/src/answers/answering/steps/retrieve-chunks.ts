import type { Search, SearchOutcome } from '../../../content/search/search.ts'
import type { Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'

export interface RetrieveDeps {
  search: Pick<Search, 'findPassages'>
}

/** Passages for the query that the asker may read, best first. */
export async function retrieveChunks(
  query: string,
  { knowledgeBaseId, language, groupIds, sourceIds, includeRestricted, topK: limit }: Question,
  { search, zeroRetention }: RetrieveDeps & Pick<AskContext, 'zeroRetention'>,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const scope = { knowledgeBaseId, groupIds, sourceIds, includeRestricted }
  return await search.findPassages({ ...scope, language, query, limit, zeroRetention, signal })
}
