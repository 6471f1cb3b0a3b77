import { useParams } from '@tanstack/react-router'
import { BOTS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { BOT_CONNECTIONS, PlatformConnection } from './platform-connection.tsx'

/** The bots of a knowledge base, and how to connect those that the service drives itself. */
export function BotsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/bots' })
  return (
    <IntegrationsPage
      kind={BOTS}
      baseId={baseId}
      partOf={(bot, blocked) => <PlatformConnection of={bot} kind={BOT_CONNECTIONS} blocked={blocked} />}
    />
  )
}
