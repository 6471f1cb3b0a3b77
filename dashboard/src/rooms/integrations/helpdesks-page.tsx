import { Link, useParams } from '@tanstack/react-router'
import { HELPDESK_CONNECTIONS } from './connection-kinds.ts'
import { HELPDESKS } from './integration-kinds.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { PlatformConnection } from './platform-connection.tsx'
import { TryTicket } from './try-ticket.tsx'

/** The help desks of a knowledge base, and a ticket to try each with. */
export function HelpdesksPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/helpdesks' })
  return (
    <IntegrationsPage
      kind={HELPDESKS}
      baseId={baseId}
      connection={HELPDESK_CONNECTIONS}
      partOf={(helpdesk, blocked) => (
        <>
          <PlatformConnection of={helpdesk} kind={HELPDESK_CONNECTIONS} blocked={blocked} />
          <TryTicket id={helpdesk.id} handles={helpdesk.handles ?? 'tickets'} blocked={blocked} />
          <p>
            <Link to="/kb/$baseId/simulations" params={{ baseId }}>
              Simulate past tickets
            </Link>
          </p>
        </>
      )}
    />
  )
}
