import type { AgentApp, NewAgentApp } from '@citewell/contract/integrations'
import type { IntegrationKind } from './integration-kind.ts'
import { presentIntegration } from './present-integration.ts'

/** Agents that act with a knowledge base; what they want to say or do may need an approval. */
export const AGENT_APP: IntegrationKind<NewAgentApp, AgentApp> = {
  kind: 'agent_app',
  noun: 'agent app',
  present: (row) => ({ ...presentIntegration(row), description: row.description }),
}
