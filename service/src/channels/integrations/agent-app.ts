import { DeclaredAction, MAX_ACTIONS } from '@citewell/contract/approvals'
import type { AgentApp } from '@citewell/contract/integrations'
import { wrongField } from '../../kernel/refusal.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { presentIntegration } from './present-integration.ts'

/** An action that is not as it should be could never be asked for: its owner is told, instead of it being left out. */
function requireActions({ actions }: Record<string, unknown>): void {
  if (actions === undefined || actions === null) return
  if (!Array.isArray(actions) || actions.length > MAX_ACTIONS)
    throw wrongField('config.actions', `must be a list of at most ${MAX_ACTIONS} actions`)
  const names = new Set<string>()
  for (const [at, action] of actions.entries()) {
    const parsed = DeclaredAction.safeParse(action)
    const [issue] = parsed.error?.issues ?? []
    const path = [`config.actions[${at}]`, ...(issue?.path ?? [])].join('.')
    if (!parsed.success) throw wrongField(path, issue?.message ?? 'is no action')
    if (names.has(parsed.data.name)) throw wrongField(`${path}.name`, 'is the name of another action, too')
    names.add(parsed.data.name)
  }
}

/** Agents that act with a knowledge base; what they want to say or do may need an approval. */
export const AGENT_APP: IntegrationKind<AgentApp> = {
  kind: 'agent_app',
  noun: 'agent app',
  requireValid: requireActions,
  present: (row) => ({ ...presentIntegration(row), description: row.description }),
}
