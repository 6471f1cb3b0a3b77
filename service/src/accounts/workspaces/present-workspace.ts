import type { InstanceWorkspace, Workspace } from '@citewell/contract/workspaces'
import type { CountedWorkspace } from './instance-workspaces-store.ts'
import { presentLlm } from '../language-models/language-models.ts'
import type { WorkspaceRow } from './workspaces-store.ts'

export function presentWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    monthly_question_allowance: row.monthly_question_allowance,
    zero_data_retention: row.zero_data_retention,
    retention_days: row.retention_days,
    llm: presentLlm(row),
    suspended_at: row.suspended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A workspace of the instance: without its model, which is its owners' business. */
export function presentInstanceWorkspace(row: CountedWorkspace): InstanceWorkspace {
  const { llm: _llm, ...shown } = presentWorkspace(row)
  return {
    ...shown,
    member_count: Number(row.member_count),
    knowledge_base_count: Number(row.knowledge_base_count),
  }
}
