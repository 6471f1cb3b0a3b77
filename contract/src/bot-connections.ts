import { z } from 'zod'
import { nullableText } from './fields.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { OneRecord } from './params.ts'

export const HookUrl = z.string().meta({
  description:
    'The address to enter at the platform: it sends its events there; null if it sends none, and is asked instead.',
  examples: ['https://answers.example.com/api/v1/hooks/0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'],
})

/** What an integration needs, and whether it has it. */
export const ConnectionCredentials = z
  .array(
    z.object({
      name: z.string().meta({ description: 'Its name in `credentials`.', examples: ['bot_token'] }),
      description: z.string().describe('Where to find it.'),
      is_set: z.boolean(),
    }),
  )
  .describe('What it needs.')

export const ConnectionSettings = z
  .array(z.object({ name: z.string(), description: z.string() }))
  .describe('What may be set in `config`.')

export const ConnectionCheck = {
  is_working: z.boolean().meta({ description: 'Whether nothing is missing.', examples: [true] }),
  account: nullableText('citewell in Acme').describe(
    'The account that the credentials open; null if they open none.',
  ),
  problems: z.array(z.string()).meta({ description: 'What does not work, and what to do.', examples: [[]] }),
}

export const BotSetup = z
  .object({
    hook_url: HookUrl.nullable(),
    credentials: ConnectionCredentials,
    settings: ConnectionSettings,
    manifest: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'The manifest of the app, to paste at the platform; null if it takes none.',
        examples: [null],
      }),
  })
  .meta({ id: 'BotSetup', description: 'How to connect a bot.' })

export type BotSetup = z.infer<typeof BotSetup>

export const BotCheck = z
  .object({
    ...ConnectionCheck,
    missing_scopes: z
      .array(z.string())
      .meta({ description: 'Permissions that the token lacks.', examples: [['im:history']] }),
    hook_url: HookUrl.nullable(),
  })
  .meta({ id: 'BotCheck', description: 'Whether a bot is connected.' })

export type BotCheck = z.infer<typeof BotCheck>

const about = {
  caller: 'access-token',
  room: 'channels/chat-bots',
  group: 'Bots',
  ...CALLED_BY.configurers,
  params: OneRecord,
} as const

export const BOT_CONNECTION_ENDPOINTS = declareEndpoints({
  getBotSetup: {
    ...about,
    ...GET('/api/v1/bots/{id}/setup'),
    summary: 'Read how to connect a bot',
    description:
      'The address and the manifest to enter at the platform, and the credentials that the bot needs. `CONFLICT` for a platform that is driven by your own program.',
    answer: { status: 200, body: BotSetup },
    refusals: ['CONFLICT'],
  },
  checkBot: {
    ...about,
    ...POST('/api/v1/bots/{id}/check'),
    summary: 'Check the connection of a bot',
    description:
      'Asks the platform whether the stored credentials work, and which permissions are missing. It posts nothing. In Discord and Telegram it registers the command `/ask` if it is not there yet; in Telegram it sets the webhook, if the bot has one.',
    recordedBy: 'nobody',
    answer: { status: 200, body: BotCheck },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})
