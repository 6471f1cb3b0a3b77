import { ENDPOINTS } from '@citewell/contract/endpoints'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { Sessions } from './sessions.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const sessionRoutes = (sessions: Pick<Sessions, 'endAllOf' | 'endOne' | 'list'>) => [
  endpoint(ENDPOINTS.listMySessions, async ({ caller, query }) =>
    pageOfRows(await sessions.list(caller, parsePageQuery(query)), query.limit, (row) => ({
      id: row.id,
      browser: row.browser,
      is_current: row.id === caller.session?.id,
      created_at: row.created_at.toISOString(),
      last_seen_at: row.last_seen_at.toISOString(),
    })),
  ),
  endpoint(ENDPOINTS.endMySession, ({ caller, params }) => sessions.endOne(caller, params.id)),
  endpoint(
    ENDPOINTS.endMySessions,
    async ({ caller, query }) =>
      await sessions.endAllOf(caller, { revokesTokens: query.also === 'access_tokens' }),
  ),
]
