import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Analytics } from './analytics.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const analyticsRoutes = (analytics: Analytics) => [
  endpoint(ENDPOINTS.getAnalytics, ({ caller, params, query, signal }) =>
    analytics.get(caller, params.id, { from: query.from, to: query.to }, signal),
  ),
]
