import type { Approval } from '@citewell/contract/approvals'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { ApprovalRow } from './approvals-store.ts'
import type { Approvals } from './approvals.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const approvalRoutes = (approvals: Approvals) => [
  endpoint(ENDPOINTS.listApprovals, async ({ caller, params, query }) =>
    pageOfRows(
      await approvals.list(caller, params.id, { ...parsePageQuery(query), status: query.status }),
      query.limit,
      present,
    ),
  ),
  endpoint(ENDPOINTS.createApproval, async ({ caller, params, body }) =>
    present(await approvals.create(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.getApproval, async ({ caller, params }) =>
    present(await approvals.get(caller, params.id)),
  ),
  endpoint(ENDPOINTS.decideApproval, async ({ caller, params, body }) =>
    present(await approvals.resolve(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.deleteApproval, ({ caller, params }) => approvals.remove(caller, params.id)),
]

const present = (row: ApprovalRow): Approval => ({
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  agent_id: row.agent_id,
  kind: row.kind,
  title: row.title,
  content: row.content,
  status: row.decision ?? 'pending',
  decision: row.decision,
  comment: row.comment,
  decided_by: row.decided_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
