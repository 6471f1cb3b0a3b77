import type { QuestionSettingsRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Search, SearchOutcome, SearchRequest } from '../../content/search/search.ts'
import { redactError } from '../../kernel/redact-error.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Masking } from '../pii/pii.ts'

interface SettingsForText {
  masking: Masking
  zeroRetention: boolean
}

export interface PrivateSearchDeps {
  search: Pick<Search, 'findPages'>
  settings: {
    of(knowledgeBaseId: string): Promise<SettingsForText>
    from(row: QuestionSettingsRow): SettingsForText
  }
}

export interface PrivateSearchRequest extends SearchRequest {
  /** The settings of the base, if they were read together with the key; otherwise they are read here. */
  base?: QuestionSettingsRow | undefined
}

/**
 * Search for readers' queries: masked by the settings of the base before anything else, and under zero retention neither cached nor
 * logged.
 */
export function createPrivateSearch({ search, settings }: PrivateSearchDeps) {
  async function findPages({ base, ...request }: PrivateSearchRequest): Promise<SearchOutcome> {
    const { masking, zeroRetention } =
      base === undefined ? await settings.of(request.knowledgeBaseId) : settings.from(base)
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

export type PrivateSearch = ReturnType<typeof createPrivateSearch>
