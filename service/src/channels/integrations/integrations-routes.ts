import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { AgentApp, Bot, HelpdeskIntegration } from '@citewell/contract/integrations'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { Integrations } from './integrations.ts'

export const integrationRecordRoutes = ({ bots, helpdeskIntegrations, agentApps }: Integrations) => [
  ...recordRoutes(
    {
      list: ENDPOINTS.listBots,
      create: ENDPOINTS.createBot,
      get: ENDPOINTS.getBot,
      change: ENDPOINTS.updateBot,
      remove: ENDPOINTS.deleteBot,
    },
    bots,
    (bot: Bot) => bot,
  ),
  ...recordRoutes(
    {
      list: ENDPOINTS.listHelpdeskIntegrations,
      create: ENDPOINTS.createHelpdeskIntegration,
      get: ENDPOINTS.getHelpdeskIntegration,
      change: ENDPOINTS.updateHelpdeskIntegration,
      remove: ENDPOINTS.deleteHelpdeskIntegration,
    },
    helpdeskIntegrations,
    (helpdesk: HelpdeskIntegration) => helpdesk,
  ),
  ...recordRoutes(
    {
      list: ENDPOINTS.listAgentApps,
      create: ENDPOINTS.createAgentApp,
      get: ENDPOINTS.getAgentApp,
      change: ENDPOINTS.updateAgentApp,
      remove: ENDPOINTS.deleteAgentApp,
    },
    agentApps,
    (agentApp: AgentApp) => agentApp,
  ),
]
