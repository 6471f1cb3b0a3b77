import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SourceGroup } from '@citewell/contract/source-groups'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { SourceGroupRow, SourceGroups } from './source-groups.ts'

const endpoint = endpointsFor<'access-token', Caller>()

function presentSourceGroup(row: SourceGroupRow): SourceGroup {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    description: row.description,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const sourceGroupRoutes = (groups: SourceGroups) => [
  endpoint(ENDPOINTS.listSourceGroups, async ({ caller, params, query }) =>
    pageOfRows(await groups.list(caller, params.id, parsePageQuery(query)), query.limit, presentSourceGroup),
  ),
  endpoint(ENDPOINTS.createSourceGroup, async ({ caller, params, body }) =>
    presentSourceGroup(await groups.create(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.updateSourceGroup, async ({ caller, params, body }) =>
    presentSourceGroup(await groups.change(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.deleteSourceGroup, ({ caller, params }) => groups.remove(caller, params.id)),
]
