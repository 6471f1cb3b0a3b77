import type { ActivityEntry } from '@citewell/contract/activity'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { ListedEntry } from './activity-log-store.ts'
import type { ActivityLog } from './activity-log.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentEntry = (row: ListedEntry): ActivityEntry => ({
  id: row.id,
  workspace_id: row.workspace_id,
  sequence: Number(row.sequence),
  knowledge_base_id: row.knowledge_base_id,
  actor: {
    type: row.actor_user_id === null ? 'service' : 'person',
    user_id: row.actor_user_id,
    name: row.actor_system ?? row.actor_name,
    email: row.actor_email,
    token_id: row.actor_token_id,
    token_name: row.token_name,
  },
  action: row.action,
  target: { type: row.target_type, id: row.target_id, name: row.target_name ?? row.person_email },
  details: row.details,
  hash: row.hash,
  created_at: row.at.toISOString(),
})

export const activityRoutes = (activity: ActivityLog) => [
  endpoint(ENDPOINTS.listActivity, async ({ caller, params, query }) => {
    const read = {
      ...parsePageQuery(query),
      workspaceId: params.id,
      action: query.action,
      actorId: query.actor_id,
      knowledgeBaseId: query.knowledge_base_id,
    }
    return pageOfRows(await activity.list(caller, read), query.limit, presentEntry)
  }),
]
