import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { text } from './fields.ts'
import { integrationChange, integrationRecord, newIntegration } from './integrations.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Description = text(0, LIMITS.description)
  .nullable()
  .meta({ description: 'What it does.', examples: ['Answers refund requests in the shop.'] })

export const AgentApp = z.object({ ...integrationRecord, description: Description }).meta({
  id: 'AgentApp',
  description: 'An agent that acts with the knowledge base. Its replies and actions may wait for approval.',
})

export type AgentApp = z.infer<typeof AgentApp>

export const NewAgentApp = z
  .strictObject({ ...newIntegration, description: Description.default(null) })
  .meta({ id: 'NewAgentApp', examples: [{ name: 'Refunds' }] })

export type NewAgentApp = z.infer<typeof NewAgentApp>

export const AgentAppChange = z
  .strictObject({ ...integrationChange, description: Description.optional() })
  .meta({
    id: 'AgentAppChange',
    description: '`config` is merged key by key.',
    examples: [{ enabled: false }],
  })

export type AgentAppChange = z.infer<typeof AgentAppChange>

const agentApps = recordEndpoints({
  room: 'channels/agent-apps',
  group: 'Agent apps',
  path: 'agent-apps',
  record: AgentApp,
  page: pageOf(AgentApp, 'AgentAppPage'),
})

export const AGENT_APP_ENDPOINTS = declareEndpoints({
  listAgentApps: agentApps.list({ summary: 'List the agent apps' }),
  createAgentApp: agentApps.create({ summary: 'Add an agent app', body: NewAgentApp }),
  getAgentApp: agentApps.get({ summary: 'Read an agent app' }),
  updateAgentApp: agentApps.change({ summary: 'Change an agent app', body: AgentAppChange }),
  deleteAgentApp: agentApps.remove({
    summary: 'Delete an agent app',
    description: 'Its approvals are deleted too.',
  }),
})
