import { useParams } from '@tanstack/react-router'
import { AGENT_APPS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'

/** The agent apps of a knowledge base. */
export function AgentAppsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/agent-apps' })
  return <IntegrationsPage kind={AGENT_APPS} baseId={baseId} />
}
