import type { Workspace } from '@citewell/contract/workspaces'
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
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
