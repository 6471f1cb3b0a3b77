import { useParams } from '@tanstack/react-router'
import { BOTS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'

/** The bots of a knowledge base. */
export function BotsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/bots' })
  return <IntegrationsPage kind={BOTS} baseId={baseId} />
}
