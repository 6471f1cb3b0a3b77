import { setTimeout as sleep } from 'node:timers/promises'
import { QUESTION, ROTATION } from '../webhook-world.ts'
import { eventually } from './bot-world.ts'
import { startCrashProxy } from './crash-moments.ts'
import { agentApp } from './crashing-agent-app.ts'
import {
  chatwoot,
  freshdesk,
  front,
  helpscout,
  hubspot,
  requestTracker,
  zammad,
  zendesk,
  zendeskMessaging,
} from './crashing-help-desks.ts'
import { endOf, hook, type CrashingPlatform } from './crashing-platform.ts'
import { startDiscordStandIn } from './discord-stand-in.ts'
import { googleChatSaid } from './google-chat-said.ts'
import { startGoogleChatStandIn } from './google-chat-stand-in.ts'
import { startIntercomStandIn } from './intercom-stand-in.ts'
import { startMailServers } from './mail-servers.ts'
import { mattermostPosted, startMattermostStandIn } from './mattermost-stand-in.ts'
import { signAsDiscord, signAsHub } from './platform-proofs.ts'
import { startSlackStandIn } from './slack-stand-in.ts'
import { deliverToBot, slackMention } from './slack-world.ts'
import { startTeamsStandIn, teamsMention } from './teams-stand-in.ts'
import { type TelegramUpdate } from './telegram-reception.ts'
import { telegramSaid } from './telegram-said.ts'
import { startTelegramStandIn } from './telegram-stand-in.ts'

type Openers = Record<string, () => Promise<CrashingPlatform>>

async function teams(): Promise<CrashingPlatform> {
  const standIn = await startTeamsStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  const serviceUrl = `${proxy.origin}/amer/`
  let asked: Record<string, unknown> = {}
  return {
    proxy,
    noun: 'bots',
    fields: { platform: 'teams', config: { api_url: proxy.origin }, credentials: standIn.credentials },
    ask: async () => {
      asked = teamsMention(standIn, QUESTION, { serviceUrl })
    },
    tell: (citewell, id) =>
      hook(citewell, id, JSON.stringify(asked), standIn.proof({ claims: { serviceurl: serviceUrl } })),
    tellsAgain: true,
    answers: () => standIn.messages.filter(({ replyToId }) => replyToId === asked['id']).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function discord(): Promise<CrashingPlatform> {
  const standIn = await startDiscordStandIn()
  const { origin, pathname } = new URL(standIn.apiUrl)
  const proxy = await startCrashProxy(origin)
  let asked = 0
  const token = () => `crash-token-${asked}`
  return {
    proxy,
    noun: 'bots',
    fields: {
      platform: 'discord',
      config: { api_url: `${proxy.origin}${pathname}` },
      credentials: standIn.credentials,
    },
    ask: async () => {
      asked += 1
      standIn.expect(token())
    },
    tell: (citewell, id) => {
      const body = JSON.stringify({
        id: String(800_000 + asked),
        application_id: standIn.applicationId,
        type: 2,
        token: token(),
        version: 1,
        guild_id: '1',
        channel: { id: '77', type: 0 },
        member: { user: { id: '5', username: 'ada' } },
        data: { id: '8', name: 'ask', type: 1, options: [{ name: 'question', type: 3, value: QUESTION }] },
      })
      return hook(citewell, id, body, signAsDiscord(body, 'stand-in', new Date()))
    },
    // The person sees that the application did not respond.
    tellsAgain: false,
    answers: () => standIn.shown.get(token())?.length ?? 0,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function mattermost(): Promise<CrashingPlatform> {
  const standIn = await startMattermostStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let asked = mattermostPosted('')
  return {
    proxy,
    noun: 'bots',
    fields: { platform: 'mattermost', config: { api_url: proxy.origin }, credentials: standIn.credentials },
    isReady: () => eventually(standIn.connections, (open) => open === 1),
    ask: async () => {
      asked = mattermostPosted(`@docs ${QUESTION}`)
    },
    tell: async () => {
      standIn.tell(asked)
    },
    // A connection acknowledges nothing, and a new process does not know where the last one was.
    tellsAgain: false,
    answers: () => standIn.messages.filter(({ root_id: root }) => root === asked.id).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function telegram(): Promise<CrashingPlatform> {
  const standIn = await startTelegramStandIn()
  const proxy = await startCrashProxy(standIn.origin, (path) => !path.endsWith('/getUpdates'))
  let asked: TelegramUpdate | undefined
  return {
    proxy,
    noun: 'bots',
    fields: { platform: 'telegram', config: { api_url: proxy.origin }, credentials: standIn.credentials },
    isReady: () => {
      // Of the process before: nobody reads what is answered to it.
      standIn.reception.pollElsewhere()
      return eventually(standIn.reception.polls, (open) => open === 1)
    },
    ask: async () => {
      standIn.messages.length = 0
      asked = telegramSaid(QUESTION)
    },
    // Once: what no process has confirmed, Telegram gives to the next one.
    tell: async () => {
      if (asked !== undefined) standIn.reception.tell(asked)
      asked = undefined
      // It is stored when it is confirmed; by a process that ends meanwhile it never is.
      for (let times = 0; times < 100 && standIn.reception.waiting() > 0; times += 1) await sleep(20)
    },
    tellsAgain: true,
    answers: () => standIn.messages.length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function googleChat(): Promise<CrashingPlatform> {
  const standIn = await startGoogleChatStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let asked = googleChatSaid('')
  return {
    proxy,
    noun: 'bots',
    fields: { platform: 'google_chat', config: { api_url: proxy.origin }, credentials: standIn.credentials },
    ask: async () => {
      asked = googleChatSaid(QUESTION)
    },
    tell: (citewell, id) => hook(citewell, id, JSON.stringify(asked), standIn.proof()),
    tellsAgain: true,
    answers: () => standIn.messages.filter(({ thread }) => thread === asked.message.thread.name).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function intercom(): Promise<CrashingPlatform> {
  const standIn = await startIntercomStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let chat = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'intercom',
      handles: 'chats',
      config: { api_url: proxy.origin, hand_over_to: '42', quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      chat = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = JSON.stringify({
        type: 'notification_event',
        app_id: 'abc',
        id: `notif_${chat}`,
        topic: 'conversation.user.created',
        data: { type: 'notification_event_data', item: { type: 'conversation', id: chat } },
      })
      return hook(citewell, id, body, signAsHub(body, standIn.credentials.client_secret))
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(chat).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

async function email(): Promise<CrashingPlatform> {
  const servers = await startMailServers()
  const mailbox = 'help@acme.example'
  let asked = 0
  const customer = () => `customer${asked}@mail.example`
  return {
    proxy: {
      // The mail server has the answer, and nobody hears of it.
      use: (crash) =>
        servers.onSending(async () => {
          if (crash.passes('while the mail is sent')) servers.misbehave('hangs up')
        }),
    },
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'email',
      handles: 'tickets',
      config: {
        address: mailbox,
        imap_host: servers.host,
        imap_port: servers.imapPort,
        smtp_host: servers.host,
        smtp_port: servers.smtpPort,
        smtp_security: 'starttls',
        quiet_seconds: 0,
      },
      credentials: { password: servers.password },
    },
    ask: async () => {
      asked += 1
      const lines = [
        `From: <${customer()}>`,
        `To: ${mailbox}`,
        'Subject: Keys',
        `Message-ID: <crash.${asked}@mail.example>`,
        'Content-Type: text/plain; charset=utf-8',
      ]
      await servers.deliver(mailbox, `${lines.join('\n')}\n\n${QUESTION}\n`)
    },
    // It is looked for.
    tell: async (citewell, id) => {
      await citewell.send('POST', `/api/v1/helpdesk-integrations/${id}/check`)
    },
    tellsAgain: true,
    answers: () =>
      servers.sent.filter(({ to, raw }) => to.includes(customer()) && raw.includes(ROTATION)).length,
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  }
}

async function slack(): Promise<CrashingPlatform> {
  const standIn = await startSlackStandIn()
  const { origin, pathname } = new URL(standIn.apiUrl)
  const proxy = await startCrashProxy(origin)
  let asked: Record<string, unknown> = {}
  let questions = 0
  const thread = () => `1700.${questions}`
  return {
    proxy,
    noun: 'bots',
    fields: {
      platform: 'slack',
      config: { api_url: `${proxy.origin}${pathname}` },
      credentials: standIn.credentials,
    },
    ask: async () => {
      questions += 1
      asked = slackMention(QUESTION, { ts: thread() })
    },
    tell: async (citewell, id) => {
      await deliverToBot(citewell, standIn, id, asked)
    },
    tellsAgain: true,
    answers: () => standIn.posts.filter(({ thread_ts: of }) => of === thread()).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export const CRASHING_PLATFORMS = {
  agent_app: agentApp,
  chatwoot,
  discord,
  email,
  freshdesk,
  front,
  google_chat: googleChat,
  helpscout,
  hubspot,
  intercom,
  mattermost,
  request_tracker: requestTracker,
  slack,
  teams,
  telegram,
  zammad,
  zendesk,
  zendesk_messaging: zendeskMessaging,
} satisfies Openers
