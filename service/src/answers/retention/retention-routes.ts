import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Retention } from './retention.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const retentionRoutes = ({ purge }: Pick<Retention, 'purge'>) => [
  endpoint(ENDPOINTS.purgeConversations, ({ caller, params, body, signal }) =>
    purge(caller, params.id, body, signal),
  ),
]
