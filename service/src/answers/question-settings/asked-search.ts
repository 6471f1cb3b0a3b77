import type { Search, SearchRequest } from '../../content/search/search.ts'
import { redactError } from '../../kernel/redact-error.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Masking } from '../pii/pii.ts'

export interface AskedSearchDeps {
  search: Pick<Search, 'findPages'>
  settings: { of(knowledgeBaseId: string): Promise<{ masking: Masking; keepsNothing: boolean }> }
}

/**
 * Search for what readers type: masked as the base says before anything is done with it, and not remembered, nor told to the log,
 * where the workspace keeps no data.
 */
export function createAskedSearch({ search, settings }: AskedSearchDeps): Pick<Search, 'findPages'> {
  async function findPages(request: SearchRequest) {
    const { masking, keepsNothing } = await settings.of(request.knowledgeBaseId)
    const asked = { ...request, query: masking.mask(request.query), keepsNothing }
    try {
      return await search.findPages(asked)
    } catch (fault) {
      if (!keepsNothing || fault instanceof Refusal || request.signal.aborted) throw fault
      throw redactError(fault)
    }
  }

  return { findPages }
}
