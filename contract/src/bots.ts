import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { integrationChange, integrationRecord, newIntegration } from './integrations.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

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

const about = { caller: 'access-token', room: 'channels/bots', group: 'Bots' } as const

export const BOT_ENDPOINTS = declareEndpoints({
  listBots: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/bots',
    summary: 'List the bots',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(Bot, 'BotPage') },
  },
  createBot: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/bots',
    summary: 'Connect a bot',
    description:
      'A bot answers everyone in its channel. A bot that was connected before its knowledge base became internal continues to answer; connecting one to an internal base must be acknowledged.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewBot,
    answer: { status: 201, body: Bot },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFIRMATION_REQUIRED'],
  },
  getBot: {
    ...about,
    method: 'GET',
    path: '/api/v1/bots/{id}',
    summary: 'Read a bot',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: Bot },
  },
  updateBot: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/bots/{id}',
    summary: 'Change a bot',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: BotChange,
    answer: { status: 200, body: Bot },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteBot: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/bots/{id}',
    summary: 'Disconnect a bot',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
})
