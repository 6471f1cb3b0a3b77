import type { BotCheck, BotSetup } from '@citewell/contract/bot-connections'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { openCredentials, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'
import type { PostDriver } from '../platform-posts/platform-posts.ts'
import type { ChatBotsDb } from './chat-bots-store.ts'
import type { BotAccount, ChatPlatform } from './chat-platform.ts'
import { createIncomingHandler, type HandleIncomingDeps } from './handle-incoming.ts'
import { DISCORD } from './platforms/discord/discord.ts'
import { SLACK } from './platforms/slack/slack.ts'

/** Platforms that this service drives itself. The others are driven by a program of their owner. */
const PLATFORMS: Partial<Record<string, ChatPlatform>> = { discord: DISCORD, slack: SLACK }

export { ChatIncoming } from './chat-incoming.ts'

export interface ChatBotsDeps extends Pick<HandleIncomingDeps, 'answering' | 'feedback' | 'posts' | 'now'> {
  db: ChatBotsDb
  bots: Pick<Integrations['bots'], 'open'>
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound'>
  publicUrl: () => string
}

const platformOf = ({ kind, platform }: IntegrationRow) =>
  kind === 'bot' ? PLATFORMS[platform ?? ''] : undefined

const createAccountOf =
  ({ sealer, outbound }: Pick<ChatBotsDeps, 'sealer' | 'outbound'>) =>
  (integration: IntegrationRow, signal: AbortSignal): BotAccount => ({
    credentials: openCredentials(sealer, integration) ?? {},
    config: integration.config,
    fetchOutbound: outbound.fetchOutbound,
    signal,
  })

/** How posts reach the chat platforms; undefined for an integration that is no bot of one. */
export function createChatPosting(deps: Pick<ChatBotsDeps, 'sealer' | 'outbound'>) {
  const accountOf = createAccountOf(deps)
  return (integration: IntegrationRow): PostDriver | undefined => {
    const platform = platformOf(integration)
    return (
      platform && {
        spacingOf: () => platform.spacingMs,
        send: (row, body, signal) => platform.post(body, accountOf(row, signal)),
      }
    )
  }
}

/** Bots in chat platforms: what is asked there is answered there. */
export function createChatBots(deps: ChatBotsDeps) {
  const { bots, sealer, publicUrl } = deps
  const accountOf = createAccountOf(deps)

  const hookUrlOf = (id: string) => `${publicUrl()}/api/v1/hooks/${id}`

  async function open(caller: Caller, id: string, active: boolean) {
    const { row, base } = await bots.open(caller, id, { permission: 'config', active })
    const platform = platformOf(row)
    if (platform === undefined) {
      throw new Refusal('CONFLICT', {
        because: 'Bots of this platform are driven by your own program: there is nothing to connect here.',
      })
    }
    return { row, base, platform }
  }

  /** What has to be entered at the platform, and here. @throws Refusal CONFLICT for a platform that is not driven here */
  async function setup(caller: Caller, id: string): Promise<BotSetup> {
    const { row, base, platform } = await open(caller, id, false)
    const hookUrl = hookUrlOf(id)
    const { credentials, ...rest } = platform.setup({ hookUrl, name: row.name, knowledgeBaseName: base.name })
    const stored = openCredentials(sealer, row) ?? {}
    return {
      hook_url: hookUrl,
      credentials: credentials.map((one) => ({ ...one, is_set: (stored[one.name] ?? '') !== '' })),
      ...rest,
    }
  }

  /** Asks the platform whether the credentials work. Refuses like `setup`, and on an archived base. */
  async function check(caller: Caller, id: string, signal: AbortSignal): Promise<BotCheck> {
    const { row, platform } = await open(caller, id, true)
    const hookUrl = hookUrlOf(id)
    return { ...(await platform.check(accountOf(row, signal), hookUrl)), hook_url: hookUrl }
  }

  return { platformOf, handle: createIncomingHandler({ ...deps, platformOf, accountOf }), setup, check }
}

export type ChatBots = ReturnType<typeof createChatBots>
