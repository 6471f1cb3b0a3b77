import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBaseGrant } from '@citewell/contract/knowledge-base-grants'
import { parsePageQuery, pageOfRows, pageWith } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import { grantCursorOf, readGrantCursor } from './grant-cursor.ts'
import type { GrantRow, Grants } from './grants.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentGrant = (row: GrantRow): KnowledgeBaseGrant => ({
  id: row.user_id,
  knowledge_base_id: row.knowledge_base_id,
  user_id: row.user_id,
  permissions: row.permissions,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const grantRoutes = (grants: Grants) => [
  endpoint(ENDPOINTS.listKnowledgeBaseGrants, async ({ caller, params, query }) =>
    pageOfRows(await grants.list(caller, params.id, parsePageQuery(query)), query.limit, presentGrant),
  ),
  endpoint(ENDPOINTS.listWorkspaceGrants, async ({ caller, params, query }) => {
    const { limit } = query
    const of = { workspaceId: params.id, after: readGrantCursor(query.cursor), limit: limit + 1 }
    return pageWith(await grants.listOfWorkspace(caller, of), limit, presentGrant, grantCursorOf)
  }),
  endpoint(ENDPOINTS.putKnowledgeBaseGrant, async ({ caller, params, body }) =>
    presentGrant(await grants.put(caller, params.id, params.userId, body.permissions)),
  ),
  endpoint(ENDPOINTS.deleteKnowledgeBaseGrant, ({ caller, params }) =>
    grants.remove(caller, params.id, params.userId),
  ),
]
