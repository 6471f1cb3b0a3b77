import type { ActivityEntry } from '@citewell/contract/activity'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { LIMITS } from '@citewell/contract/limits'
import { contentTypeOf, fileOfRows, type ExportRow } from '../../kernel/file-of-rows.ts'
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

const COLUMNS = [
  'at',
  'action',
  'actor_name',
  'actor_email',
  'token_name',
  'target_type',
  'target_id',
  'target_name',
  'knowledge_base_id',
  'details',
  'sequence',
  'hash',
] as const

const exportedEntry = (row: ListedEntry): ExportRow<typeof COLUMNS> => {
  const { actor, target, ...entry } = presentEntry(row)
  return {
    at: entry.created_at,
    action: entry.action,
    actor_name: actor.name,
    actor_email: actor.email,
    token_name: actor.token_name,
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    knowledge_base_id: entry.knowledge_base_id,
    details: JSON.stringify(entry.details),
    sequence: entry.sequence,
    hash: entry.hash,
  }
}

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
  endpoint(ENDPOINTS.exportActivity, async ({ caller, params, query, setHeader }) => {
    const { rows: most } = LIMITS.exports
    const found = await activity.list(caller, {
      after: undefined,
      limit: most + 1,
      workspaceId: params.id,
      action: query.action,
      actorId: query.actor_id,
      knowledgeBaseId: query.knowledge_base_id,
    })
    setHeader('content-type', contentTypeOf(query.format))
    setHeader('X-Citewell-Truncated', String(found.length > most))
    return fileOfRows(COLUMNS, found.slice(0, most).map(exportedEntry), query.format)
  }),
]
