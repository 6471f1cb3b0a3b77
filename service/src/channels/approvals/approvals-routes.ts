import type { Approval } from '@citewell/contract/approvals'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { ApprovalRow } from './approvals-store.ts'
import type { Approvals } from './approvals.ts'

export const approvalRoutes = (approvals: Approvals) =>
  recordRoutes(
    {
      list: ENDPOINTS.listApprovals,
      create: ENDPOINTS.createApproval,
      get: ENDPOINTS.getApproval,
      change: ENDPOINTS.decideApproval,
      remove: ENDPOINTS.deleteApproval,
    },
    { ...approvals, change: approvals.resolve },
    present,
  )

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
  action: row.action_name === null ? null : { name: row.action_name, input: row.action_input },
  edited_content: row.edited_content,
  expires_at: row.expires_at?.toISOString() ?? null,
  execution: row.execution,
  execution_note: row.execution_note,
  executed_at: row.executed_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
