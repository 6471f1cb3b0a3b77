import type { BotCheck, BotSetup } from '@citewell/contract/bot-connections'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { openCredentials, type IntegrationRow, type Integrations } from '../integrations/integrations.ts'
import { createPlatformHooks } from '../platform-hooks/platform-hooks.ts'
import { createPlatformPosts } from '../platform-posts/platform-posts.ts'
import type { ChatBotsDb } from './chat-bots-store.ts'
import { ChatIncoming } from './chat-incoming.ts'
import type { BotAccount, ChatPlatform } from './chat-platform.ts'
import { createIncomingHandler, type HandleIncomingDeps } from './handle-incoming.ts'
import { DISCORD } from './platforms/discord/discord.ts'
import { SLACK } from './platforms/slack/slack.ts'

/** Platforms that this service drives itself. The others are driven by a program of their owner. */
const PLATFORMS: Partial<Record<string, ChatPlatform>> = { discord: DISCORD, slack: SLACK }

export interface ChatBotsDeps extends Pick<HandleIncomingDeps, 'answering' | 'feedback' | 'now'> {
  db: ChatBotsDb
  bots: Pick<Integrations['bots'], 'open'>
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound'>
  newId: () => string
  publicUrl: () => string
  report: (fault: unknown, doing: string) => void
}

/** Bots in chat platforms: what is asked there is answered there. */
export function createChatBots(deps: ChatBotsDeps) {
  const { db, bots, sealer, outbound, now, newId, publicUrl, report } = deps

  const platformOf = ({ kind, platform }: IntegrationRow) =>
    kind === 'bot' ? PLATFORMS[platform ?? ''] : undefined

  const accountOf = (integration: IntegrationRow, signal: AbortSignal): BotAccount => ({
    credentials: openCredentials(sealer, integration) ?? {},
    config: integration.config,
    fetchOutbound: outbound.fetchOutbound,
    signal,
  })

  const posts = createPlatformPosts({
    db,
    sealer,
    now,
    newId,
    report,
    spacingOf: (integration) => platformOf(integration)?.spacingMs ?? 0,
    send: async (integration, body, signal) =>
      (await platformOf(integration)?.post(body, accountOf(integration, signal))) ?? {
        is: 'failed',
        because: 'This platform is not driven by this service.',
      },
  })
  const hooks = createPlatformHooks<ChatIncoming>({
    db,
    sealer,
    now,
    newId,
    platformOf,
    schema: ChatIncoming,
    handle: createIncomingHandler({ ...deps, posts, platformOf, accountOf }),
    report,
  })

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

  return { hooks, posts, setup, check }
}

export type ChatBots = ReturnType<typeof createChatBots>
