import type { Bot, Management } from '@citewell/sdk/management'
import { BOT_PLATFORMS } from './bot-platforms.ts'
import type { PlatformField } from './platform-field.ts'
import { HELPDESK_PLATFORMS } from './platform-fields.ts'

/** What the three kinds of integrations have in common. */
export interface Integration {
  id: string
  knowledge_base_id: string
  name: string
  enabled: boolean
  config: Record<string, unknown>
  has_credentials: boolean
  /** Why it could not do its work last; null as long as it works. */
  problem: { because: string; at: string } | null
  platform?: string
  handles?: 'tickets' | 'chats'
  description?: string | null
  answers_internal?: boolean
  updated_at: string
}

/** What was typed for a new integration, and what a change may have of it. */
export interface IntegrationValues {
  name: string
  config: Record<string, unknown>
  credentials: Record<string, string> | undefined
  platform: string
  handles: 'tickets' | 'chats'
  description: string | null
  acknowledge_internal: boolean
}

interface Page<One> {
  all(): AsyncGenerator<One, void, void>
}

/** A kind of integration: its operations, and its words on the screen. */
export interface IntegrationKind {
  /** Of its list in the cache. */
  key: string
  noun: string
  title: string
  lead: string
  empty: string
  /** What new ones are called on the button. */
  newLabel: string
  deleteLabel: string
  /** What stops when one is deleted. */
  deletion: string
  /** Why an internal base has none; undefined: it may. */
  internal?: string
  platforms: Record<string, { name: string; fields: readonly PlatformField[]; handles?: 'chats' }>
  list: (
    api: Management,
    baseId: string,
    ...rest: [{ limit: number }, { signal?: AbortSignal }]
  ) => Page<Integration>
  create: (api: Management, baseId: string, given: IntegrationValues) => Promise<Integration>
  update: (
    api: Management,
    id: string,
    given: Partial<Pick<IntegrationValues, 'name' | 'config' | 'credentials' | 'description'>> & {
      enabled?: boolean
      acknowledge_internal?: boolean
    },
  ) => Promise<Integration>
  remove: (api: Management, id: string) => Promise<void>
}

const isBotPlatform = (platform: string): platform is Bot['platform'] =>
  Object.hasOwn(BOT_PLATFORMS, platform)
const isHelpdesk = (platform: string): platform is keyof typeof HELPDESK_PLATFORMS =>
  Object.hasOwn(HELPDESK_PLATFORMS, platform)

export const BOTS: IntegrationKind = {
  key: 'bots',
  noun: 'bot',
  title: 'Bots',
  lead: 'Answers in the channels of a chat platform. A bot does not check who asks: it answers everyone in its channel.',
  empty: 'No bots yet. Connect one, and people can ask where they already talk.',
  newLabel: 'Connect a bot',
  deleteLabel: 'Disconnect the bot',
  deletion: 'It answers nothing from now on, and its credentials are deleted.',
  platforms: BOT_PLATFORMS,
  list: (api, baseId, page, options) => api.listBots(baseId, page, options),
  create: (api, baseId, { name, config, credentials, platform, acknowledge_internal }) =>
    api.createBot(baseId, {
      name,
      config,
      credentials,
      acknowledge_internal,
      platform: isBotPlatform(platform) ? platform : 'other',
    }),
  update: (api, id, { description: _description, ...change }) => api.updateBot(id, change),
  remove: (api, id) => api.deleteBot(id),
}

export const HELPDESKS: IntegrationKind = {
  key: 'helpdesk-integrations',
  noun: 'help desk',
  title: 'Help desks',
  lead: 'Answers customers’ tickets and chats from public documents, and hands them to a person when needed.',
  empty:
    'No help desks yet. Add one to answer tickets, and to simulate how many of last month’s tickets it would have answered.',
  newLabel: 'Add a help desk',
  deleteLabel: 'Delete the help desk',
  deletion: 'Its tickets and chats are answered by people alone from now on. Its simulations are kept.',
  internal: 'An internal knowledge base has no help desk: it answers customers from public documents.',
  platforms: HELPDESK_PLATFORMS,
  list: (api, baseId, page, options) => api.listHelpdeskIntegrations(baseId, page, options),
  create: (api, baseId, { name, config, credentials, platform, handles }) =>
    api.createHelpdeskIntegration(baseId, {
      name,
      config,
      credentials,
      handles,
      platform: isHelpdesk(platform) ? platform : 'other',
    }),
  update: (api, id, { description: _description, acknowledge_internal: _acknowledged, ...change }) =>
    api.updateHelpdeskIntegration(id, change),
  remove: (api, id) => api.deleteHelpdeskIntegration(id),
}

export const AGENT_APPS: IntegrationKind = {
  key: 'agent-apps',
  noun: 'agent app',
  title: 'Agent apps',
  lead: 'Agents that act with this knowledge base. What they want to say or do can wait for a person under Approvals.',
  empty: 'No agent app yet. An agent asks for approval with its id.',
  newLabel: 'Add an agent app',
  deleteLabel: 'Delete the agent app',
  deletion: 'Its approvals are deleted too, including undecided ones.',
  platforms: {},
  list: (api, baseId, page, options) => api.listAgentApps(baseId, page, options),
  create: (api, baseId, { name, config, credentials, description }) =>
    api.createAgentApp(baseId, { name, config, credentials, description }),
  update: (api, id, { acknowledge_internal: _acknowledged, ...change }) => api.updateAgentApp(id, change),
  remove: (api, id) => api.deleteAgentApp(id),
}
