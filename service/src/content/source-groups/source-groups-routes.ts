import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SourceGroup } from '@citewell/contract/source-groups'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { SourceGroupRow, SourceGroups } from './source-groups.ts'

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

export const sourceGroupRoutes = (groups: SourceGroups) =>
  recordRoutes(
    {
      list: ENDPOINTS.listSourceGroups,
      create: ENDPOINTS.createSourceGroup,
      change: ENDPOINTS.updateSourceGroup,
      remove: ENDPOINTS.deleteSourceGroup,
    },
    groups,
    presentSourceGroup,
  )
