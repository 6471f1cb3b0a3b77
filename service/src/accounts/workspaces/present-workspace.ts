import type { InstanceWorkspace, Workspace } from '@citewell/contract/workspaces'
import type { CountedWorkspace } from './instance-workspaces-store.ts'
import { presentLlm, type ModelProblem } from '../language-models/language-models.ts'
import { isMember, mayAdminister, type Caller } from '../permissions/permissions.ts'
import type { WorkspaceRow } from './workspaces-store.ts'

/**
 * A workspace with its model, which is its members' business: an operator who is none of them does not see it. What is wrong with it is
 * for those who can mend it.
 */
export function presentWorkspace(
  row: WorkspaceRow,
  caller: Caller,
  problemOf: (row: WorkspaceRow) => ModelProblem | undefined,
): Workspace {
  const problem = mayAdminister(caller, row.id) ? problemOf(row) : undefined
  return {
    ...withoutModel(row),
    llm: isMember(caller, row.id) ? presentLlm(row) : null,
    llm_problem:
      problem === undefined ? null : { since: problem.since.toISOString(), message: problem.message },
  }
}

function withoutModel(row: WorkspaceRow): Omit<Workspace, 'llm' | 'llm_problem'> {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    monthly_question_allowance: row.monthly_question_allowance,
    zero_data_retention: row.zero_data_retention,
    retention_days: row.retention_days,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A workspace of the instance. */
export function presentInstanceWorkspace(row: CountedWorkspace): InstanceWorkspace {
  return {
    ...withoutModel(row),
    member_count: Number(row.member_count),
    knowledge_base_count: Number(row.knowledge_base_count),
  }
}
