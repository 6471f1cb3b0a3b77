import { z } from 'zod'
import { BOT_PLATFORMS, HELPDESK_PLATFORMS } from './closed-lists.ts'
import { declareEndpoints } from './endpoint.ts'
import { idOf, lineText, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

/** Of all changes of integrations. */
const CHANGE_MERGES =
  '`config` is merged key by key. If `config.api_url` then names another scheme, host or port, the stored credentials are deleted unless `credentials` are sent with it: they are never sent to a host that they were not given for.'

/** Bots, help-desk integrations and agent apps: one shape, and the fields of each kind. */

const Name = lineText(1, LIMITS.name)
const Enabled = z.boolean().meta({ description: 'If false, it answers nothing.', examples: [true] })
const Config = z.record(z.string().max(100), z.unknown()).meta({
  description: 'Its settings. Do not put secrets here: everyone who may read the record sees them.',
  examples: [{ api_url: 'https://chat.example.com' }],
})
const Credentials = z.record(z.string().min(1).max(100), z.string().min(1).max(8_000)).meta({
  description: 'Tokens and passwords for the other service. Stored encrypted, and never shown again.',
  examples: [{ bot_token: 'xoxb-…', signing_secret: '…' }],
})

const integrationRecord = {
  ...recordFields,
  knowledge_base_id: idOf('knowledge base'),
  name: Name.meta({ examples: ['Help'] }),
  enabled: Enabled,
  config: Config,
  has_credentials: z.boolean().meta({ description: 'Whether credentials are stored.', examples: [true] }),
  problem: z
    .object({ because: z.string(), at: Timestamp })
    .nullable()
    .meta({
      description:
        'Why it could not do its work last, and what to do; null as long as it works. A later success clears it.',
      examples: [null],
    }),
}

const newIntegration = {
  name: Name.meta({ examples: ['Help'] }),
  enabled: Enabled.default(true),
  config: Config.default({}),
  credentials: Credentials.optional(),
}

const integrationChange = {
  name: Name.optional(),
  enabled: Enabled.optional(),
  config: Config.optional(),
  credentials: Credentials.nullable().optional().describe('Replaces the stored ones; null deletes them.'),
}

export const IdOfIntegration = idOf('help-desk integration')

const BotPlatform = z.enum(BOT_PLATFORMS).meta({
  description:
    'The chat platform; fixed at creation. All but `other` are driven by this service; `other` is driven by your own program.',
  examples: ['slack'],
})

export const Bot = z
  .object({
    ...integrationRecord,
    platform: BotPlatform,
    answers_internal: z.boolean().meta({
      description:
        'Whether it answers everyone in its channel from an internal knowledge base: it is on, and the base is internal.',
      examples: [false],
    }),
  })
  .meta({ id: 'Bot', description: 'A chat bot that answers from the knowledge base.' })

export type Bot = z.infer<typeof Bot>

const AcknowledgeInternal = z.boolean().default(false)

export const NewBot = z
  .strictObject({
    ...newIntegration,
    platform: BotPlatform,
    acknowledge_internal: AcknowledgeInternal.describe(
      'Required on an internal knowledge base: a bot does not check who asks, so everyone in the channel gets its answers.',
    ),
  })
  .meta({ id: 'NewBot', examples: [{ name: 'Help', platform: 'slack' }] })

export const BotChange = z
  .strictObject({
    ...integrationChange,
    acknowledge_internal: AcknowledgeInternal.describe(
      'Required to switch a bot of an internal knowledge base on, and to give it its first credentials: from then on everyone in its channel gets answers.',
    ),
  })
  .meta({ id: 'BotChange', description: CHANGE_MERGES, examples: [{ enabled: false }] })

const bots = recordEndpoints({
  room: 'channels/integrations',
  group: 'Bots',
  path: 'bots',
  record: Bot,
  page: pageOf(Bot, 'BotPage'),
})

export const BOT_ENDPOINTS = declareEndpoints({
  listBots: bots.list({ summary: 'List the bots' }),
  createBot: bots.create({
    summary: 'Connect a bot',
    description:
      'A bot answers everyone in its channel. A bot that was connected before its knowledge base became internal continues to answer; connecting one to an internal base must be acknowledged.',
    body: NewBot,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFIRMATION_REQUIRED'],
  }),
  getBot: bots.get({ summary: 'Read a bot' }),
  updateBot: bots.change({
    summary: 'Change a bot',
    body: BotChange,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFIRMATION_REQUIRED'],
  }),
  deleteBot: bots.remove({ summary: 'Disconnect a bot' }),
})

const HelpdeskPlatform = z.enum(HELPDESK_PLATFORMS).meta({
  description:
    'The help desk; fixed at creation. Tickets of Freshdesk, Request Tracker, Zammad and Zendesk, conversations of Front, Help Scout and HubSpot, chats of Chatwoot, Zendesk messaging and Intercom, and the mail of a mailbox, are read and answered by this service once it has credentials, everything else by your own program.',
  examples: ['request_tracker'],
})

const Handles = z.enum(['tickets', 'chats']).meta({
  description:
    'Tickets get one answer, and are handed to a person when the customer writes again. Chats get up to 5 answers. Fixed at creation.',
  examples: ['tickets'],
})

export const HelpdeskIntegration = z
  .object({ ...integrationRecord, platform: HelpdeskPlatform, handles: Handles })
  .meta({ id: 'HelpdeskIntegration', description: 'Help-desk automation: answers tickets or chats.' })

export type HelpdeskIntegration = z.infer<typeof HelpdeskIntegration>

export const NewHelpdeskIntegration = z
  .strictObject({ ...newIntegration, platform: HelpdeskPlatform, handles: Handles.default('tickets') })
  .meta({ id: 'NewHelpdeskIntegration', examples: [{ name: 'Support', platform: 'request_tracker' }] })

export const HelpdeskIntegrationChange = z.strictObject(integrationChange).meta({
  id: 'HelpdeskIntegrationChange',
  description: CHANGE_MERGES,
  examples: [{ enabled: false }],
})

const helpdesks = recordEndpoints({
  room: 'channels/integrations',
  group: 'Help desks',
  path: 'helpdesk-integrations',
  record: HelpdeskIntegration,
  page: pageOf(HelpdeskIntegration, 'HelpdeskIntegrationPage'),
})

export const HELPDESK_INTEGRATION_ENDPOINTS = declareEndpoints({
  listHelpdeskIntegrations: helpdesks.list({ summary: 'List the help-desk integrations' }),
  createHelpdeskIntegration: helpdesks.create({
    summary: 'Add a help-desk integration',
    description: 'It answers customers from public documents, so an internal knowledge base cannot have one.',
    body: NewHelpdeskIntegration,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL'],
  }),
  getHelpdeskIntegration: helpdesks.get({ summary: 'Read a help-desk integration' }),
  updateHelpdeskIntegration: helpdesks.change({
    summary: 'Change a help-desk integration',
    body: HelpdeskIntegrationChange,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL'],
  }),
  deleteHelpdeskIntegration: helpdesks.remove({ summary: 'Delete a help-desk integration' }),
})

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
  .meta({ id: 'AgentAppChange', description: CHANGE_MERGES, examples: [{ enabled: false }] })

export type AgentAppChange = z.infer<typeof AgentAppChange>

const agentApps = recordEndpoints({
  room: 'channels/integrations',
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
