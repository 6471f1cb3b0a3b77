import type { WorkspaceChange } from '@citewell/contract/workspaces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { changedLlm } from '../language-models/language-models.ts'
import { hasScope, mayAdminister, type Caller } from '../permissions/permissions.ts'
import type { WorkspaceRow } from './workspaces-store.ts'

/** Fields that only the operator may set, not an owner. */
const OPERATOR_FIELDS = ['plan', 'monthly_question_allowance'] as const

/** Throws FORBIDDEN if the caller may not set one of the fields; then none of them is changed. */
export function requireRightToChange(
  caller: Caller,
  workspaceId: string,
  changes: Partial<WorkspaceChange>,
): void {
  const names = Object.keys(changes)
  const isOperatorField = (name: string) => OPERATOR_FIELDS.some((field) => field === name)
  if (names.some(isOperatorField) && caller.isOperator !== true)
    throw new Refusal('FORBIDDEN', {
      because: 'Only the operator of this instance may set the plan and the monthly allowance.',
    })
  const needsOwnerOrAdmin = names.length === 0 || !names.every(isOperatorField)
  if (!hasScope(caller, 'admin') || (needsOwnerOrAdmin && !mayAdminister(caller, workspaceId)))
    throw new Refusal('FORBIDDEN', { because: 'Only owners and admins may change a workspace.' })
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

/** For the activity log: which fields changed, and the new values that are not secret. */
export function detailsOfChange(
  before: WorkspaceRow,
  after: WorkspaceRow,
  changes: Partial<WorkspaceChange>,
): Record<string, unknown> {
  const loggedFields = [
    'plan',
    'monthly_question_allowance',
    'zero_data_retention',
    'retention_days',
  ] as const
  const became = loggedFields
    .filter((field) => before[field] !== after[field])
    .map((field) => [field, after[field]])
  return { fields: Object.keys(changes).toSorted(), ...Object.fromEntries(became) }
}
