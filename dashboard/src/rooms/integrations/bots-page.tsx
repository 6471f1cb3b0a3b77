import { useParams } from '@tanstack/react-router'
import { BOT_CONNECTIONS } from './connection-kinds.ts'
import { BOTS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { PlatformConnection } from './platform-connection.tsx'

/** The bots of a knowledge base, and how to connect those that the service drives itself. */
export function BotsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/bots' })
  return (
    <IntegrationsPage
      kind={BOTS}
      baseId={baseId}
      connection={BOT_CONNECTIONS}
      partOf={(bot, blocked) => <PlatformConnection of={bot} kind={BOT_CONNECTIONS} blocked={blocked} />}
    />
  )
}
