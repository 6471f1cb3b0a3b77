import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '../../test/platforms/bot-world.ts'
import { startDiscordStandIn } from '../../test/platforms/discord-stand-in.ts'
import { mattermostPosted, startMattermostStandIn } from '../../test/platforms/mattermost-stand-in.ts'
import { SLACK_APP_TOKEN, startSlackStandIn } from '../../test/platforms/slack-stand-in.ts'
import { slackMention } from '../../test/platforms/slack-world.ts'
import { telegramSaid } from '../../test/platforms/telegram-said.ts'
import { startTelegramStandIn } from '../../test/platforms/telegram-stand-in.ts'
import { openTestManagement, type TestManagement } from '../../test/test-management.ts'

interface Heard extends AsyncDisposable {
  fields: object
  /** Ends when the bot listens. */
  listens: () => Promise<unknown>
  tell: () => void
}

const PLATFORMS: Record<string, () => Promise<Heard>> = {
  mattermost: async () => {
    const standIn = await startMattermostStandIn()
    return {
      fields: { config: { api_url: standIn.origin }, credentials: standIn.credentials },
      listens: () => eventually(standIn.connections, (open) => open === 1),
      tell: () => standIn.tell(mattermostPosted('@docs How are keys rotated?')),
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    }
  },
  slack: async () => {
    const standIn = await startSlackStandIn()
    const { bot_token } = standIn.credentials
    return {
      fields: {
        config: { api_url: standIn.apiUrl },
        credentials: { bot_token, app_token: SLACK_APP_TOKEN },
      },
      listens: () => eventually(standIn.connections, (open) => open === 1),
      tell: () => void standIn.tell('events_api', slackMention('How are keys rotated?', { ts: '1950.1' })),
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    }
  },
  discord: async () => {
    const standIn = await startDiscordStandIn()
    const { bot_token } = standIn.credentials
    return {
      fields: {
        config: { api_url: standIn.apiUrl, answer_mentions: 'true' },
        credentials: { bot_token },
      },
      listens: () => eventually(standIn.gateway.connections, (open) => open === 1),
      tell: () => {
        const content = `<@${standIn.gateway.botId}> How are keys rotated?`
        standIn.gateway.dispatch('MESSAGE_CREATE', standIn.gateway.write({ content }))
      },
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    }
  },
  telegram: async () => {
    const standIn = await startTelegramStandIn()
    return {
      fields: { config: { api_url: standIn.origin }, credentials: standIn.credentials },
      listens: () => eventually(standIn.reception.polls, (open) => open === 1),
      tell: () => void standIn.reception.tell(telegramSaid('How are keys rotated?')),
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    }
  },
}

/** The storage takes no event until this ends; the embedded engine, which has one session, answers nothing at all. */
async function holdStorage({ db }: TestManagement): Promise<() => Promise<void>> {
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const { promise: isFreed, resolve: free } = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (transaction) => {
    await sql`lock table platform_events in access exclusive mode`.execute(transaction)
    held()
    await isFreed
  })
  await isHeld
  return async () => {
    free()
    await holding
  }
}

test(
  'a service whose bots have heard what a dead storage does not take is closed within seconds',
  { timeout: 60_000, tags: ['long'] },
  async () => {
    await using standIns = new AsyncDisposableStack()
    const api = await openTestManagement({ surroundings: { now: () => new Date() } })
    const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
    const heard: Heard[] = []
    for (const [platform, start] of Object.entries(PLATFORMS)) {
      const standIn = standIns.use(await start())
      heard.push(standIn)
      await api.ask('POST', `/knowledge-bases/${base['id']}/bots`, {
        name: 'Docs',
        platform,
        ...standIn.fields,
      })
    }
    api.chatHearing.begin()
    await api.chatHearing.look()
    for (const standIn of heard) await standIn.listens()
    const free = await holdStorage(api)
    for (const standIn of heard) standIn.tell()
    // So that it was heard.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const startedAt = performance.now()
    await api.service.close()
    expect(performance.now() - startedAt).toBeLessThan(8_500)
    await free()
    await api.storage.close()
  },
)
