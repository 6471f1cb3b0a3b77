import { approvalRoutes } from '../channels/approvals/approvals-routes.ts'
import { chatBotRoutes } from '../channels/chat-bots/chat-bots-routes.ts'
import { helpDeskRoutes } from '../channels/help-desks/help-desks-routes.ts'
import { integrationRecordRoutes } from '../channels/integrations/integrations-routes.ts'
import { platformHookRoutes } from '../channels/platform-hooks/platform-hooks-routes.ts'
import { simulationRoutes } from '../channels/simulations/simulations-routes.ts'
import { ticketRoutes } from '../channels/tickets/tickets-routes.ts'
import { webhookRoutes } from '../channels/webhooks/webhooks-routes.ts'
import type { Rooms } from './compose-rooms.ts'

/** The endpoints of what tells others, and of what acts for others. */
export const integrationRoutes = (
  rooms: Pick<
    Rooms,
    | 'addresses'
    | 'webhooks'
    | 'bots'
    | 'chatBots'
    | 'helpdeskIntegrations'
    | 'helpDesks'
    | 'platformHooks'
    | 'agentApps'
    | 'tickets'
    | 'approvals'
    | 'simulations'
  >,
) => [
  ...webhookRoutes(rooms.webhooks),
  ...integrationRecordRoutes(rooms),
  ...chatBotRoutes(rooms.chatBots),
  ...helpDeskRoutes(rooms.helpDesks),
  ...platformHookRoutes(rooms.platformHooks),
  ...ticketRoutes(rooms.tickets),
  ...approvalRoutes(rooms.approvals),
  ...simulationRoutes(rooms.simulations, rooms.addresses.addressOf),
]
