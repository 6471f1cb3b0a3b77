import { agentAppRoutes } from '../channels/agent-apps/agent-apps-routes.ts'
import { approvalRoutes } from '../channels/approvals/approvals-routes.ts'
import { botRoutes } from '../channels/bots/bots-routes.ts'
import { helpdeskIntegrationRoutes } from '../channels/helpdesk-integrations/helpdesk-integrations-routes.ts'
import { simulationRoutes } from '../channels/simulations/simulations-routes.ts'
import { webhookRoutes } from '../channels/webhooks/webhooks-routes.ts'
import type { Rooms } from './compose-rooms.ts'

/** The endpoints of what tells others, and of what acts for others. */
export const integrationRoutes = (
  rooms: Pick<
    Rooms,
    'addresses' | 'webhooks' | 'bots' | 'helpdeskIntegrations' | 'agentApps' | 'approvals' | 'simulations'
  >,
) => [
  ...webhookRoutes(rooms.webhooks),
  ...botRoutes(rooms.bots),
  ...helpdeskIntegrationRoutes(rooms.helpdeskIntegrations),
  ...agentAppRoutes(rooms.agentApps),
  ...approvalRoutes(rooms.approvals),
  ...simulationRoutes(rooms.simulations, rooms.addresses.addressOf),
]
