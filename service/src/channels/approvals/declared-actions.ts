import { DeclaredAction, MAX_ACTIONS, type NewApproval } from '@citewell/contract/approvals'
import { wrongField } from '../../kernel/refusal.ts'
import { findIntegrationById, type IntegrationRow } from '../integrations/integrations.ts'
import type { ApprovalsDb } from './approvals-store.ts'

/** The actions that an agent app declares; those that are not as they should be are none. */
export function declaredActions({ config }: Pick<IntegrationRow, 'config'>): DeclaredAction[] {
  const { actions } = config
  if (!Array.isArray(actions)) return []
  return actions.slice(0, MAX_ACTIONS).flatMap((action) => DeclaredAction.safeParse(action).data ?? [])
}

/** Refuses an action that its agent app does not declare, and one that is asked for as a reply. */
export async function requireDeclared(
  transaction: ApprovalsDb,
  agentId: string,
  { kind, action }: Pick<NewApproval, 'kind' | 'action'>,
): Promise<void> {
  if (kind !== 'action') throw wrongField('kind', 'must be "action" if there is an action')
  const agent = await findIntegrationById(transaction, agentId)
  const isDeclared = agent !== undefined && declaredActions(agent).some(({ name }) => name === action?.name)
  if (!isDeclared)
    throw wrongField('action.name', 'is not an action that the agent app declares in config.actions')
}
