import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SourceConnection, StartedConnection } from '@citewell/contract/source-connections'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { SourceConnectionRow, SourceConnections, StartedRow } from './source-connections.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentConnection = (row: SourceConnectionRow): SourceConnection => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  platform: row.platform as SourceConnection['platform'],
  account: row.account,
  status: row.status,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const presentStarted = ({ row, authorizeUrl }: StartedRow): StartedConnection => ({
  ...presentConnection(row),
  authorize_url: authorizeUrl,
})

export const sourceConnectionRoutes = (connections: SourceConnections) => [
  ...recordRoutes(
    {
      list: ENDPOINTS.listSourceConnections,
      get: ENDPOINTS.getSourceConnection,
      remove: ENDPOINTS.deleteSourceConnection,
    },
    connections,
    presentConnection,
  ),
  endpoint(ENDPOINTS.listConnectablePlatforms, async ({ caller, params }) => ({
    platforms: await connections.platforms(caller, params.id),
  })),
  endpoint(ENDPOINTS.startSourceConnection, async ({ caller, params, body }) =>
    presentStarted(await connections.start(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.restartSourceConnection, async ({ caller, params }) =>
    presentStarted(await connections.restart(caller, params.id)),
  ),
]
