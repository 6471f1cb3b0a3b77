import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { AgentApps } from './agent-apps.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const agentAppRoutes = (agentApps: AgentApps) => [
  endpoint(ENDPOINTS.listAgentApps, async ({ caller, params, query }) =>
    pageOfRows(await agentApps.list(caller, params.id, parsePageQuery(query)), query.limit, (app) => app),
  ),
  endpoint(ENDPOINTS.createAgentApp, ({ caller, params, body }) => agentApps.create(caller, params.id, body)),
  endpoint(ENDPOINTS.getAgentApp, ({ caller, params }) => agentApps.get(caller, params.id)),
  endpoint(ENDPOINTS.updateAgentApp, ({ caller, params, body }) => agentApps.change(caller, params.id, body)),
  endpoint(ENDPOINTS.deleteAgentApp, ({ caller, params }) => agentApps.remove(caller, params.id)),
]
