import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { HelpdeskIntegrations } from './helpdesk-integrations.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const helpdeskIntegrationRoutes = (helpdesks: HelpdeskIntegrations) => [
  endpoint(ENDPOINTS.listHelpdeskIntegrations, async ({ caller, params, query }) =>
    pageOfRows(await helpdesks.list(caller, params.id, parsePageQuery(query)), query.limit, (one) => one),
  ),
  endpoint(ENDPOINTS.createHelpdeskIntegration, ({ caller, params, body }) =>
    helpdesks.create(caller, params.id, body),
  ),
  endpoint(ENDPOINTS.getHelpdeskIntegration, ({ caller, params }) => helpdesks.get(caller, params.id)),
  endpoint(ENDPOINTS.updateHelpdeskIntegration, ({ caller, params, body }) =>
    helpdesks.change(caller, params.id, body),
  ),
  endpoint(ENDPOINTS.deleteHelpdeskIntegration, ({ caller, params }) => helpdesks.remove(caller, params.id)),
  endpoint(ENDPOINTS.takeTicketMessage, ({ caller, params, body, signal }) =>
    helpdesks.takeMessage(caller, params.id, body, signal),
  ),
]
