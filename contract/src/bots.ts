import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { integrationChange, integrationRecord, newIntegration } from './integrations.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

/** Chat platforms that a bot can be connected to. `other` is driven by your own program. */
export const BOT_PLATFORMS = ['slack', 'teams', 'discord', 'google_chat', 'telegram', 'other'] as const

const Platform = z
  .enum(BOT_PLATFORMS)
  .meta({ description: 'The chat platform; fixed at creation.', examples: ['slack'] })

export const Bot = z
  .object({
    ...integrationRecord,
    platform: Platform,
    answers_internal: z.boolean().meta({
      description:
        'Whether it answers everyone in its channel from an internal knowledge base: it is on, and the base is internal.',
      examples: [false],
    }),
  })
  .meta({ id: 'Bot', description: 'A chat bot that answers from the knowledge base.' })

export type Bot = z.infer<typeof Bot>

export const NewBot = z
  .strictObject({
    ...newIntegration,
    platform: Platform,
    acknowledge_internal: z.boolean().default(false).meta({
      description:
        'Required on an internal knowledge base: a bot does not check who asks, so everyone in the channel gets its answers.',
    }),
  })
  .meta({ id: 'NewBot', examples: [{ name: 'Help', platform: 'slack' }] })

export type NewBot = z.infer<typeof NewBot>

export const BotChange = z
  .strictObject(integrationChange)
  .meta({ id: 'BotChange', description: '`config` is merged key by key.', examples: [{ enabled: false }] })

export type BotChange = z.infer<typeof BotChange>

const bots = recordEndpoints({
  room: 'channels/bots',
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
  updateBot: bots.change({ summary: 'Change a bot', body: BotChange }),
  deleteBot: bots.remove({ summary: 'Disconnect a bot' }),
})
