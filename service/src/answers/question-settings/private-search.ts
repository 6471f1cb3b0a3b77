import type { Search, SearchRequest } from '../../content/search/search.ts'
import { redactError } from '../../kernel/redact-error.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Masking } from '../pii/pii.ts'

export interface PrivateSearchDeps {
  search: Pick<Search, 'findPages'>
  settings: { of(knowledgeBaseId: string): Promise<{ masking: Masking; zeroRetention: boolean }> }
}

/**
 * Search for readers' queries: masked by the settings of the base before anything else, and under zero retention neither cached nor
 * logged.
 */
export function createPrivateSearch({ search, settings }: PrivateSearchDeps): Pick<Search, 'findPages'> {
  async function findPages(request: SearchRequest) {
    const { masking, zeroRetention } = await settings.of(request.knowledgeBaseId)
    const asked = { ...request, query: masking.mask(request.query), zeroRetention }
    try {
      return await search.findPages(asked)
    } catch (error) {
      if (!zeroRetention || error instanceof Refusal || request.signal.aborted) throw error
      throw redactError(error)
    }
  }

  return { findPages }
}
