import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { UsedServer } from './mcp-servers-store.ts'
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
  const present = (row: UsedServer) => presentMcpServer(row, { publicUrl: publicUrl(), offersMcpSignIn })
  return [
    ...recordRoutes(
      {
        list: ENDPOINTS.listMcpServers,
        create: ENDPOINTS.createMcpServer,
        change: ENDPOINTS.updateMcpServer,
        remove: ENDPOINTS.deleteMcpServer,
      },
      { ...mcpServers, change: mcpServers.refuseChange },
      present,
    ),
    endpoint(ENDPOINTS.getMcpAvailability, async ({ caller, params }) => {
      const because = await mcpServers.whyUnavailable(caller, params.id, offersMcpSignIn)
      return { knowledge_base_id: params.id, mcp_available: because === null, because }
    }),
  ]
}
