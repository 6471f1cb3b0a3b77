import { useParams } from '@tanstack/react-router'
import { BotConnection } from './bot-connection.tsx'
import { BOTS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'

/** The bots of a knowledge base, and how to connect those that the service drives itself. */
export function BotsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/bots' })
  return (
    <IntegrationsPage
      kind={BOTS}
      baseId={baseId}
      partOf={(bot, blocked) => <BotConnection bot={bot} blocked={blocked} />}
    />
  )
}
