import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { startDiscordStandIn } from '../../../test/platforms/discord-stand-in.ts'
import { googleChatSaid, SPACE } from '../../../test/platforms/google-chat-said.ts'
import { startGoogleChatStandIn } from '../../../test/platforms/google-chat-stand-in.ts'
import {
  mattermostId,
  mattermostPosted,
  startMattermostStandIn,
} from '../../../test/platforms/mattermost-stand-in.ts'
import { signAsDiscord } from '../../../test/platforms/platform-proofs.ts'
import { startSlackStandIn } from '../../../test/platforms/slack-stand-in.ts'
import { slackMention } from '../../../test/platforms/slack-world.ts'
import { startTeamsStandIn, teamsMention } from '../../../test/platforms/teams-stand-in.ts'
import { GROUP, telegramSaid } from '../../../test/platforms/telegram-said.ts'
import { startTelegramStandIn } from '../../../test/platforms/telegram-stand-in.ts'
import { answersFromPage, QUESTION } from '../../../test/webhook-world.ts'

/** A channel is a number: 0 is the busy one. */
interface BusyPlatform extends AsyncDisposable {
  bot: string
  /** Somebody asks in a channel, in a thread of its own. */
  ask(channel: number, words: string): Promise<void>
  /** Channels of the answers so far, and when each came, in milliseconds. */
  answers(): { channel: number; at: number }[]
  /** What the platform would have refused as too much. */
  tooMuch(): unknown[]
}

const OTHERS = 4
/** On all platforms together more than a process answers at a time. */
const QUESTIONS_OF_THE_BUSY = 8

let world: BotWorld
const platforms = new Map<string, BusyPlatform>()

/** Times at which more than so many fell into a window that begins there. */
const over = (times: readonly number[], most: number, windowMs: number): number[] =>
  times.filter((begin) => times.filter((at) => at >= begin && at < begin + windowMs).length > most)

async function openSlack(): Promise<BusyPlatform> {
  const slack = await startSlackStandIn()
  for (let channel = 0; channel <= OTHERS; channel += 1) slack.channels.add(`C${channel}`)
  const bot = await world.connect({
    platform: 'slack',
    config: { api_url: slack.apiUrl },
    credentials: slack.credentials,
  })
  let asked = 0
  return {
    bot,
    ask: async (channel, words) => {
      asked += 1
      const body = JSON.stringify(slackMention(words, { ts: `3000.${asked}`, channel: `C${channel}` }))
      expect((await world.deliver(bot, body, slack.sign(body))).status).toBe(200)
    },
    answers: () => slack.posts.map(({ channel, at }) => ({ channel: Number(channel.slice(1)), at })),
    tooMuch: () => slack.calls.filter(({ answered }) => answered === '429'),
    [Symbol.asyncDispose]: () => slack[Symbol.asyncDispose](),
  }
}

async function openTeams(): Promise<BusyPlatform> {
  const teams = await startTeamsStandIn()
  const bot = await world.connect({
    platform: 'teams',
    config: { api_url: teams.origin },
    credentials: teams.credentials,
  })
  const channelOf = (conversation: string) => Number(/^19:c(\d)@/.exec(conversation)?.[1])
  const at = new Map<string, number[]>()
  teams.onRequest = ({ path }) => {
    const [, conversation = ''] = /\/conversations\/([^/]+)/.exec(decodeURIComponent(path)) ?? []
    if (conversation !== '') at.set(conversation, [...(at.get(conversation) ?? []), performance.now()])
  }
  return {
    bot,
    ask: async (channel, words) => {
      const asked = teamsMention(teams, words)
      const conversation = asked['conversation'] as { id: string }
      const id = conversation.id.replace('19:general@', `19:c${channel}@`)
      const activity = { ...asked, conversation: { ...conversation, id } }
      expect((await world.deliver(bot, activity, teams.proof())).status).toBe(200)
    },
    answers: () => teams.messages.map(({ conversation }) => ({ channel: channelOf(conversation), at: 0 })),
    // For each thread, with the signs of typing.
    tooMuch: () =>
      [...at.values()].flatMap((times) => [...over(times, 7, 1_000), ...over(times, 60, 30_000)]),
    [Symbol.asyncDispose]: () => teams[Symbol.asyncDispose](),
  }
}

async function openMattermost(): Promise<BusyPlatform> {
  const mattermost = await startMattermostStandIn()
  const nameOf = (channel: number) => `busy ${channel}`
  const channels = new Map<string, number>()
  for (let channel = 0; channel <= OTHERS; channel += 1) {
    channels.set(mattermostId(nameOf(channel)), channel)
    mattermost.channels.add(mattermostId(nameOf(channel)))
  }
  const bot = await world.connect({
    platform: 'mattermost',
    config: { api_url: mattermost.origin },
    credentials: mattermost.credentials,
  })
  await world.check(bot)
  await eventually(mattermost.connections, (open) => open === 1)
  /** Its limit, where it is switched on: a hundred at once, and ten a second. */
  let left = 100
  let last = performance.now()
  const refused: string[] = []
  mattermost.onRequest = ({ path }) => {
    const now = performance.now()
    left = Math.min(100, left + ((now - last) / 1_000) * 10) - 1
    last = now
    if (left < 0) refused.push(path)
  }
  return {
    bot,
    ask: async (channel, words) => {
      mattermost.tell(mattermostPosted(`@docs ${words}`, { channel: nameOf(channel) }))
    },
    answers: () =>
      mattermost.messages.map(({ channel_id: id, at }) => ({ channel: channels.get(id) ?? NaN, at })),
    tooMuch: () => refused,
    [Symbol.asyncDispose]: () => mattermost[Symbol.asyncDispose](),
  }
}

async function openDiscord(): Promise<BusyPlatform> {
  const discord = await startDiscordStandIn()
  const bot = await world.connect({
    platform: 'discord',
    config: { api_url: discord.apiUrl },
    credentials: discord.credentials,
  })
  let asked = 0
  const channels = new Map<string, number>()
  return {
    bot,
    ask: async (channel, words) => {
      asked += 1
      const token = `busy-${asked}`
      channels.set(token, channel)
      discord.expect(token)
      const body = JSON.stringify({
        id: String(700_000 + asked),
        application_id: discord.applicationId,
        type: 2,
        token,
        version: 1,
        channel: { id: String(500 + channel), type: 0 },
        user: { id: '5', username: 'ada' },
        data: { id: '8', name: 'ask', type: 1, options: [{ name: 'question', type: 3, value: words }] },
      })
      expect((await world.deliver(bot, body, signAsDiscord(body, 'stand-in', new Date()))).status).toBe(200)
    },
    answers: () => [...discord.shown.keys()].map((token) => ({ channel: channels.get(token) ?? NaN, at: 0 })),
    // Five requests in two seconds with the token of one question.
    tooMuch: () =>
      [...Map.groupBy(discord.calls, ({ path }) => path.split('/')[3] ?? '').entries()].filter(
        ([token, calls]) => channels.has(token) && calls.length > 5,
      ),
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  }
}

async function openTelegram(): Promise<BusyPlatform> {
  const telegram = await startTelegramStandIn({ token: '7171:AAF-stand_in_token_of_35_characters' })
  const bot = await world.connect({
    platform: 'telegram',
    config: { api_url: telegram.origin },
    credentials: telegram.credentials,
  })
  await world.check(bot)
  await eventually(telegram.reception.polls, (open) => open === 1)
  const idOf = (channel: number) => -100_500 - channel
  return {
    bot,
    ask: async (channel, words) => {
      telegram.reception.tell(telegramSaid(`@docs_bot ${words}`, { chat: { ...GROUP, id: idOf(channel) } }))
    },
    answers: () => telegram.messages.map(({ chat_id: id, at }) => ({ channel: idOf(0) - Number(id), at })),
    // Twenty a minute in a group.
    tooMuch: () => telegram.refusedAsTooMany,
    [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose](),
  }
}

async function openGoogleChat(): Promise<BusyPlatform> {
  const google = await startGoogleChatStandIn()
  const bot = await world.connect({
    platform: 'google_chat',
    config: { api_url: google.origin },
    credentials: google.credentials,
  })
  const nameOf = (channel: number) => `spaces/busy${channel}`
  for (let channel = 0; channel <= OTHERS; channel += 1) google.spaces.add(nameOf(channel))
  return {
    bot,
    ask: async (channel, words) => {
      const space = { ...SPACE, name: nameOf(channel) }
      expect((await world.deliver(bot, googleChatSaid(words, { space }), google.proof())).status).toBe(200)
    },
    answers: () =>
      google.messages.map(({ space, at }) => ({
        channel: Number(space.replace(nameOf(0).slice(0, -1), '')),
        at,
      })),
    // One a second in a space.
    tooMuch: () => google.refusedAsTooMany,
    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  }
}

/** A message a second: of the busy channel only the first answers are waited for. */
const SLOW = new Set(['Slack', 'Telegram', 'Google Chat'])

beforeAll(async () => {
  world = await openBotWorld()
  platforms.set('Slack', await openSlack())
  platforms.set('Teams', await openTeams())
  platforms.set('Mattermost', await openMattermost())
  platforms.set('Discord', await openDiscord())
  platforms.set('Telegram', await openTelegram())
  platforms.set('Google Chat', await openGoogleChat())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  for (const platform of platforms.values()) await platform[Symbol.asyncDispose]()
})

verifies(
  'bots.limits',
  'eight questions in one channel that take long delay no answer in four others, on any platform; then all are answered, within what the platform allows',
  async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    world.llm.script(async (exchange) => {
      if (JSON.stringify(exchange.request).includes('slowly')) await held
      await answersFromPage()(exchange)
    })
    for (const { ask } of platforms.values())
      for (let at = 0; at < QUESTIONS_OF_THE_BUSY; at += 1) await ask(0, `${QUESTION} Say it slowly, ${at}.`)
    for (const { ask } of platforms.values())
      for (let channel = 1; channel <= OTHERS; channel += 1) await ask(channel, QUESTION)

    const channels = Array.from({ length: OTHERS }, (_, at) => at + 1)
    for (const [name, { answers }] of platforms) {
      const answered = await eventually(
        () =>
          answers()
            .map(({ channel }) => channel)
            .toSorted((one, other) => one - other),
        ({ length }) => length >= OTHERS,
      )
      expect([name, answered]).toEqual([name, channels])
    }
    release()
    for (const [name, { bot, answers, tooMuch }] of platforms) {
      const isSlow = SLOW.has(name)
      if (isSlow) await eventually(answers, ({ length }) => length >= OTHERS + 3)
      else await world.settled(bot)
      const ofTheBusy = answers().filter(({ channel }) => channel === 0)
      if (!isSlow) expect([name, ofTheBusy.length]).toEqual([name, QUESTIONS_OF_THE_BUSY])
      expect([name, tooMuch()]).toEqual([name, []])
    }
  },
  { timeout: 60_000, tags: ['long'] },
)
