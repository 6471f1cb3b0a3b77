import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { Sessions } from './sessions.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const sessionRoutes = (sessions: Pick<Sessions, 'endAllOf'>) => [
  endpoint(
    ENDPOINTS.endMySessions,
    async ({ caller, query }) =>
      await sessions.endAllOf(caller, { revokesTokens: query.also === 'access_tokens' }),
  ),
]
