import type { WorkspaceChange } from '@citewell/contract/workspaces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { changedLlm } from '../language-models/language-models.ts'
import { hasScope, mayAdminister, type Caller } from '../permissions/permissions.ts'
import type { WorkspaceRow } from './workspaces-store.ts'

/** What the instance gives a workspace, and its owner cannot take. */
const OF_OPERATOR = ['plan', 'monthly_question_allowance'] as const

/** Throws FORBIDDEN where one of the fields is not this caller's to set; then none of them is changed. */
export function requireRightToChange(
  caller: Caller,
  workspaceId: string,
  changes: Partial<WorkspaceChange>,
): void {
  const names = Object.keys(changes)
  const isOfOperator = (name: string) => OF_OPERATOR.some((field) => field === name)
  if (names.some(isOfOperator) && caller.isOperator !== true) {
    throw new Refusal('FORBIDDEN', {
      because: 'The plan and the monthly allowance are set by whoever operates this instance.',
    })
  }
  const isOwnersMatter = names.length === 0 || !names.every(isOfOperator)
  if (!hasScope(caller, 'admin') || (isOwnersMatter && !mayAdminister(caller, workspaceId))) {
    throw new Refusal('FORBIDDEN', { because: 'Owners and admins change a workspace.' })
  }
}

/** The row after a change. @throws Refusal BAD_REQUEST for a model without its address or name */
export function changedWorkspace(
  before: WorkspaceRow,
  changes: Partial<WorkspaceChange>,
  { sealer, now }: { sealer: Sealer; now: Date },
): WorkspaceRow {
  const { llm, ...fields } = changes
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...before,
    ...given,
    ...(llm !== undefined && changedLlm(before, llm, { workspaceId: before.id, sealer })),
    updated_at: now,
  }
}

/** For the activity log: which fields, and what they became where that is no secret. */
export function detailsOfChange(
  before: WorkspaceRow,
  after: WorkspaceRow,
  changes: Partial<WorkspaceChange>,
): Record<string, unknown> {
  const told = ['plan', 'monthly_question_allowance', 'zero_data_retention', 'retention_days'] as const
  const became = told.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]])
  return { fields: Object.keys(changes).toSorted(), ...Object.fromEntries(became) }
}
