import type { BotCheck, BotSetup } from '@citewell/contract/bot-connections'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { DAY_MS } from '../../kernel/duration.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import {
  openCredentials,
  shownCredentials,
  shownSettings,
  type IntegrationRow,
  type Integrations,
} from '../integrations/integrations.ts'
import { addressOfHook } from '../platform-hooks/platform-hooks.ts'
import type { PostDriver } from '../platform-posts/platform-posts.ts'
import { deleteOldHandOvers, type ChatBotsDb } from './chat-bots-store.ts'
import type { BotAccount, ChatPlatform } from './chat-platform.ts'
import { PERSON_SETTINGS, personProblems, personTargetOf } from './hand-over.ts'
import { createIncomingHandler, type HandleIncomingDeps } from './handle-incoming.ts'
import { createHearing, type HearPlatformsDeps } from './hear-platforms.ts'
import { openPersonDesk } from './person-desk.ts'
import { settingProblems } from './setting-problems.ts'
import { DISCORD } from './platforms/discord/discord.ts'
import { createGoogleChat } from './platforms/google-chat/google-chat.ts'
import { MATTERMOST } from './platforms/mattermost/mattermost.ts'
import { SLACK } from './platforms/slack/slack.ts'
import { createTeams } from './platforms/teams/teams.ts'
import { createTelegram } from './platforms/telegram/telegram.ts'

/** What the owner sets the same way for every platform. */
const SHARED_SETTINGS = {
  answer_only_when_covered: 'true: it says nothing where the documentation does not cover a question.',
  ...PERSON_SETTINGS,
}

/** In a direct message the name of a conversation is that of a person. Whoever asks for one after this time is passed on again. */
const HAND_OVERS_KEPT_DAYS = 30

/** Those of them that this service listens to. */
const HEARD = ['discord', 'mattermost', 'slack', 'telegram'] as const

/** Platforms that this service drives itself. The others are driven by a program of their owner. */
export const createChatPlatforms = ({ now }: { now: () => Date }) => {
  const platforms: Partial<Record<string, ChatPlatform>> = {
    discord: DISCORD,
    google_chat: createGoogleChat({ now }),
    mattermost: MATTERMOST,
    slack: SLACK,
    teams: createTeams({ now }),
    telegram: createTelegram({ now }),
  }
  return ({ kind, platform }: IntegrationRow): ChatPlatform | undefined =>
    kind === 'bot' ? platforms[platform ?? ''] : undefined
}

export { handOverEnded } from './hand-over-ended.ts'
export { ChatIncoming } from './chat-incoming.ts'

export interface ChatBotsDeps extends Pick<
  HandleIncomingDeps,
  'answering' | 'conversations' | 'feedback' | 'now' | 'openingPost' | 'posts'
> {
  db: ChatBotsDb
  bots: Pick<Integrations['bots'], 'open'>
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound' | 'openSocket'>
  report: (fault: unknown, doing: string) => void
  publicUrl: () => string
  platformOf: ReturnType<typeof createChatPlatforms>
}

const createAccountOf =
  ({ sealer, outbound }: Pick<ChatBotsDeps, 'sealer' | 'outbound'>) =>
  (integration: IntegrationRow, signal: AbortSignal): BotAccount => ({
    credentials: openCredentials(sealer, integration) ?? {},
    config: integration.config,
    fetchOutbound: outbound.fetchOutbound,
    openSocket: outbound.openSocket,
    signal,
  })

/** How posts reach the chat platforms; undefined for an integration that is no bot of one. */
export function createChatPosting(deps: Pick<ChatBotsDeps, 'sealer' | 'outbound' | 'platformOf'>) {
  const { platformOf } = deps
  const accountOf = createAccountOf(deps)
  return (integration: IntegrationRow): PostDriver | undefined => {
    const platform = platformOf(integration)
    return (
      platform && {
        spacingOf: () => platform.spacingMs,
        isRepeatable: (body) => platform.isRepeatable?.(body) === true,
        send: (row, body, signal) => platform.post(body, accountOf(row, signal)),
      }
    )
  }
}

/** Bots in chat platforms: what is asked there is answered there. */
export function createChatBots(deps: ChatBotsDeps) {
  const { db, bots, sealer, publicUrl, platformOf, now } = deps
  const accountOf = createAccountOf(deps)

  const hookUrlOf = (id: string) => addressOfHook(publicUrl(), id)

  const isHeard = (row: IntegrationRow): boolean => {
    const platform = platformOf(row)
    if (platform?.listen === undefined) return false
    const credentials = openCredentials(sealer, row) ?? {}
    return platform.isHeard?.({ credentials, config: row.config }) ?? true
  }

  function connectionOf(row: IntegrationRow): string | undefined {
    const connection = platformOf(row)?.connectionOf?.({ credentials: openCredentials(sealer, row) ?? {} })
    // Bots without a token have nothing in common.
    return connection === '' ? undefined : connection
  }

  let look: (given: { again?: string }) => Promise<void> = () => Promise.resolve()

  /** Begins to listen where platforms send nothing by themselves. The intake comes later, because what it takes is handled here. */
  function listen(take: HearPlatformsDeps['take']) {
    const hearing = createHearing({ ...deps, heard: HEARD, accountOf, isHeard, connectionOf, take })
    look = hearing.look
    return hearing
  }

  async function open(caller: Caller, id: string, active: boolean) {
    const { row, base } = await bots.open(caller, id, { permission: 'config', active })
    const platform = platformOf(row)
    if (platform === undefined)
      throw new Refusal('CONFLICT', {
        because: 'Bots of this platform are driven by your own program: there is nothing to connect here.',
      })
    const hookUrl = isHeard(row) && platform.hearsBesideHook !== true ? null : hookUrlOf(id)
    return { row, base, platform, hookUrl }
  }

  function setupOf({ row, base, platform, hookUrl }: Awaited<ReturnType<typeof open>>): BotSetup {
    const stored = openCredentials(sealer, row) ?? {}
    const { credentials, settings, manifest } = platform.setup({
      hookUrl: hookUrl ?? publicUrl(),
      name: row.name,
      knowledgeBaseName: base.name,
      credentials: stored,
    })
    return {
      hook_url: hookUrl,
      credentials: shownCredentials(credentials, stored),
      settings: shownSettings({ ...settings, ...SHARED_SETTINGS }),
      manifest,
    }
  }

  /** What has to be entered at the platform, and here. @throws Refusal CONFLICT for a platform that is not driven here */
  const setup = async (caller: Caller, id: string): Promise<BotSetup> =>
    setupOf(await open(caller, id, false))

  async function wrongChoices(opened: Awaited<ReturnType<typeof open>>) {
    const { row, platform } = opened
    const { config, knowledge_base_id } = row
    const target = personTargetOf(config)
    const desk =
      target !== undefined && 'helpdeskId' in target
        ? await openPersonDesk(
            deps,
            { knowledgeBaseId: knowledge_base_id, helpdeskId: target.helpdeskId },
            { subject: '', markdown: '' },
          )
        : undefined
    const known = setupOf(opened).settings.map(({ name }) => name)
    return [
      ...settingProblems(config, new Set([...known, 'api_url'])),
      ...personProblems(config, {
        isChannel: (channel) => platform.placeOf(channel, {}) !== undefined,
        opensTickets: desk !== undefined,
      }),
    ]
  }

  /** Asks the platform whether the credentials work. Refuses like `setup`, and on an archived base. */
  async function check(caller: Caller, id: string, signal: AbortSignal): Promise<BotCheck> {
    const opened = await open(caller, id, true)
    const { row, base, platform, hookUrl } = opened
    const isInternal = base.type === 'internal'
    const checked = await platform.check(accountOf(row, signal), hookUrl ?? publicUrl(), { isInternal })
    if (isHeard(row)) await look({ again: id })
    const problems = [...checked.problems, ...(await wrongChoices(opened))]
    return { ...checked, is_working: problems.length === 0, problems, hook_url: hookUrl }
  }

  const upkeep: Job = {
    name: 'forget-hand-overs',
    schedule: '43 * * * *',
    handle: () => deleteOldHandOvers(db, new Date(now().getTime() - HAND_OVERS_KEPT_DAYS * DAY_MS)),
  }

  return { ...createIncomingHandler({ ...deps, accountOf }), listen, setup, check, jobs: [upkeep] }
}

export type ChatBots = ReturnType<typeof createChatBots>
