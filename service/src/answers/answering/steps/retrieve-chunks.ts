import type { SearchOutcome } from '../../../content/search/search.ts'
import type { Question } from '../question.ts'

export interface RetrieveDeps {
  search: (request: {
    knowledgeBaseId: string
    /** Of the base. */
    language: string | undefined
    query: string
    groupIds: string[] | undefined
    sourceIds: string[] | undefined
    includeRestricted: boolean
    limit: number
    /** The question must not be cached. */
    zeroRetention: boolean
    signal: AbortSignal
  }) => Promise<SearchOutcome>
}

/** Passages for the query that the asker may read, best first. */
export async function retrieveChunks(
  query: string,
  { knowledgeBaseId, language, groupIds, sourceIds, includeRestricted, topK }: Question,
  { search, zeroRetention }: RetrieveDeps & { zeroRetention: boolean },
  signal: AbortSignal,
): Promise<SearchOutcome> {
  return await search({
    knowledgeBaseId,
    language,
    query,
    groupIds,
    sourceIds,
    includeRestricted,
    limit: topK,
    zeroRetention,
    signal,
  })
}
