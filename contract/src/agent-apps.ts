import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { text } from './fields.ts'
import { integrationChange, integrationRecord, newIntegration } from './integrations.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

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

const about = { caller: 'access-token', room: 'channels/agent-apps', group: 'Agent apps' } as const

export const AGENT_APP_ENDPOINTS = declareEndpoints({
  listAgentApps: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/agent-apps',
    summary: 'List the agent apps',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(AgentApp, 'AgentAppPage') },
  },
  createAgentApp: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/agent-apps',
    summary: 'Add an agent app',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewAgentApp,
    answer: { status: 201, body: AgentApp },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  getAgentApp: {
    ...about,
    method: 'GET',
    path: '/api/v1/agent-apps/{id}',
    summary: 'Read an agent app',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: AgentApp },
  },
  updateAgentApp: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/agent-apps/{id}',
    summary: 'Change an agent app',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: AgentAppChange,
    answer: { status: 200, body: AgentApp },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteAgentApp: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/agent-apps/{id}',
    summary: 'Delete an agent app',
    description: 'Its approvals are deleted too.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
})
