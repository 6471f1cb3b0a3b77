import { ENDPOINTS } from '@citewell/contract/endpoints'
import { LIMITS } from '@citewell/contract/limits'
import type { PrivateSearch } from '../../answers/question-settings/question-settings.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { AskedBasesDb } from './asked-bases-store.ts'
import { presentRelatedArticles, presentSearchResults } from './present-search.ts'
import type { PublicCaller } from './public-caller.ts'
import { groupScope, groupsOfKey } from './request-scope.ts'
import { openWidget } from './widget-gate.ts'

export interface PublicSearchDeps {
  db: AskedBasesDb
  search: PrivateSearch
}

const endpoint = endpointsFor<'public-key', PublicCaller>()

/** Public pages for a query, best first. */
export function createPublicSearchRoutes({ db, search }: PublicSearchDeps) {
  async function findPages(
    { base }: PublicCaller,
    wanted: { query: string; groupIds: string[] | undefined; limit: number },
    signal: AbortSignal,
  ) {
    const { passages } = await search.findPages({
      ...wanted,
      base,
      knowledgeBaseId: base.id,
      language: base.language ?? undefined,
      includeRestricted: false,
      signal,
    })
    return passages
  }

  return [
    endpoint(ENDPOINTS.search, async ({ caller, body, signal }) => {
      const { base, clientKey, origin } = caller
      await openWidget(db, base.id, body.widget_id, origin)
      const groupIds = await groupScope(db, base.id, groupsOfKey(clientKey), body.group_ids)
      return presentSearchResults(
        await findPages(caller, { query: body.query, groupIds, limit: body.limit }, signal),
        body.query,
      )
    }),
    endpoint(ENDPOINTS.findRelated, async ({ caller, body, signal }) => {
      const wanted = {
        query: body.query,
        groupIds: groupsOfKey(caller.clientKey),
        limit: LIMITS.relatedPages,
      }
      return presentRelatedArticles(await findPages(caller, wanted, signal))
    }),
  ]
}
