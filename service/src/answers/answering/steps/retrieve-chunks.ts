import { LIMITS } from '@citewell/contract/limits'
import type { Search, SearchOutcome } from '../../../content/search/search.ts'
import type { Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'

const PLACES_OF_DOCUMENT = 10

export interface RetrieveDeps {
  search: Pick<Search, 'findPassages'>
}

/** Passages for the query that the asker may read, best first. */
export async function retrieveChunks(
  query: string,
  {
    knowledgeBaseId,
    language,
    groupIds,
    sourceIds,
    withoutDocuments = [],
    includeRestricted,
    topK,
  }: Question,
  { search, zeroRetention }: RetrieveDeps & Pick<AskContext, 'zeroRetention'>,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const scope = { knowledgeBaseId, groupIds, sourceIds, includeRestricted }
  const left = new Set(withoutDocuments)
  // Each of those may take several places.
  const limit = Math.min(LIMITS.topK.max, topK + left.size * PLACES_OF_DOCUMENT)
  const found = await search.findPassages({ ...scope, language, query, limit, zeroRetention, signal })
  if (left.size === 0) return found
  const passages = found.passages.filter(({ documentId }) => !left.has(documentId)).slice(0, topK)
  return { ...found, passages }
}
