import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { McpServerRow } from './mcp-servers-store.ts'
import type { McpServers } from './mcp-servers.ts'
import { presentMcpServer } from './present-mcp-server.ts'

export interface McpServerRoutesDeps {
  mcpServers: Pick<McpServers, 'create' | 'list' | 'whyUnavailable' | 'refuseChange' | 'remove'>
  /** Public URL of the service, without a trailing slash; known once it listens. */
  publicUrl: () => string
  /** Whether readers can sign in, which needs an identity provider. */
  offersMcpSignIn: boolean
}

const endpoint = endpointsFor<'access-token', Caller>()

export function mcpServerRoutes({ mcpServers, publicUrl, offersMcpSignIn }: McpServerRoutesDeps) {
  const present = (row: McpServerRow) => presentMcpServer(row, { publicUrl: publicUrl(), offersMcpSignIn })
  return [
    endpoint(ENDPOINTS.listMcpServers, async ({ caller, params, query }) =>
      pageOfRows(await mcpServers.list(caller, params.id, parsePageQuery(query)), query.limit, present),
    ),
    endpoint(ENDPOINTS.getMcpAvailability, async ({ caller, params }) => {
      const because = await mcpServers.whyUnavailable(caller, params.id, offersMcpSignIn)
      return { knowledge_base_id: params.id, mcp_available: because === null, because }
    }),
    endpoint(ENDPOINTS.createMcpServer, async ({ caller, params, body }) =>
      present(await mcpServers.create(caller, params.id, body)),
    ),
    endpoint(ENDPOINTS.updateMcpServer, ({ caller, params }) => mcpServers.refuseChange(caller, params.id)),
    endpoint(ENDPOINTS.deleteMcpServer, ({ caller, params }) => mcpServers.remove(caller, params.id)),
  ]
}
