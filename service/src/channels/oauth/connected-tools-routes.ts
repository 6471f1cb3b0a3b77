import type { ConnectedTool } from '@citewell/contract/connected-tools'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { readsChosenBases, type ConnectedToolRow, type ConnectedTools } from './connected-tools.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentConnectedTool = (row: ConnectedToolRow): ConnectedTool => ({
  id: row.id,
  client_name: row.client_name,
  redirect_host: row.redirect_host,
  url: row.resource,
  reads_all: readsChosenBases(row) ? row.reads_all : null,
  knowledge_base_ids: readsChosenBases(row) ? row.knowledge_base_ids : null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const connectedToolRoutes = (connectedTools: Pick<ConnectedTools, 'list' | 'remove'>) => [
  endpoint(ENDPOINTS.listConnectedTools, async ({ caller, query }) =>
    pageOfRows(
      await connectedTools.list(caller.userId, parsePageQuery(query)),
      query.limit,
      presentConnectedTool,
    ),
  ),
  endpoint(ENDPOINTS.deleteConnectedTool, ({ caller, params }) =>
    connectedTools.remove({ userId: caller.userId, tokenId: caller.tokenId }, params.id),
  ),
]
