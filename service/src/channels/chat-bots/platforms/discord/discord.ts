import { LIMITS } from '@citewell/contract/limits'
import { z } from 'zod'
import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import { isSwitchedOn } from '../../setting-problems.ts'
import { callDiscord, discordApiUrl, postToDiscord, TOKEN_REFUSED } from './discord-api.ts'
import { listenToDiscord } from './listen-to-discord.ts'
import { readDiscord } from './read-discord.ts'
import { renderForDiscord, withdrawFromDiscord } from './render-discord.ts'
import { isSignedByDiscord } from './verify-discord.ts'

const Application = z.looseObject({
  id: z.string().regex(/^\d{1,25}$/),
  name: z.string().max(200),
  verify_key: z.string().max(200),
  interactions_endpoint_url: z.string().max(2_000).nullish(),
  /** Whether everybody may add it to a server. */
  bot_public: z.boolean().optional().catch(undefined),
})

const Commands = z.array(z.looseObject({ name: z.string().max(100) })).max(500)

/** `/ask question`. */
const COMMAND = {
  name: 'ask',
  type: 1,
  description: 'Ask the documentation',
  options: [
    { type: 3, name: 'question', description: 'Your question', required: true, max_length: LIMITS.query },
  ],
}

const PUBLIC =
  'Everybody at Discord may add this application to a server of their own, and is then answered from your internal knowledge base: switch Public Bot off, under Bot in the Developer Portal. The Install Link, under Installation, has to be None before.'

const NO_KEY =
  'The credential public_key is missing or is not one: General Information, Public Key. Without it, nothing that Discord sends is taken.'

/** Whether this service listens for the bot. */
const answersMentions = ({
  credentials,
  config: { answer_mentions: setting },
}: Pick<BotAccount, 'credentials' | 'config'>): boolean =>
  isSwitchedOn(setting) && (credentials['bot_token'] ?? '') !== ''

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  if ((credentials['bot_token'] ?? '') === '')
    yield 'The credential bot_token is missing: Bot, Token, in the Developer Portal.'
  const key = credentials['public_key'] ?? ''
  if (!/^[0-9a-f]{64}$/i.test(key) && !(key === '' && answersMentions({ credentials, config }))) yield NO_KEY
  if (discordApiUrl(config) === undefined) yield API_URL_WRONG
}

/** What Discord says that does not fit to what is stored here. */
function* mismatches(
  application: z.infer<typeof Application>,
  { credentials, config }: BotAccount,
  hookUrl: string,
): Generator<string> {
  const key = credentials['public_key'] ?? ''
  const isHeard = answersMentions({ credentials, config })
  // Without an address Discord tells the connection what is asked with the command, and what is pressed.
  if (isHeard && (application.interactions_endpoint_url ?? '') === '') return
  if (isHeard && key === '') yield NO_KEY
  if (key !== '' && application.verify_key.toLowerCase() !== key.toLowerCase())
    yield 'The credential public_key is not that of this application.'
  if (application.interactions_endpoint_url !== hookUrl)
    yield `Enter ${hookUrl} as Interactions Endpoint URL: General Information, in the Developer Portal.`
}

async function ensureCommand(
  applicationId: string,
  botToken: string,
  account: BotAccount,
): Promise<string | undefined> {
  const path = `/applications/${applicationId}/commands`
  const listed = Commands.safeParse((await callDiscord('GET', path, { botToken }, account)).body).data
  if (listed?.some(({ name }) => name === COMMAND.name) === true) return undefined
  const made = await callDiscord('POST', path, { body: COMMAND, botToken }, account)
  if (made.status >= 200 && made.status < 300) return undefined
  return `Discord did not take the command /ask (HTTP ${made.status}). Try again in a minute.`
}

const check: ChatPlatform['check'] = (account, hookUrl, { isInternal }) => {
  const botToken = account.credentials['bot_token'] ?? ''
  return checkBot(account, {
    missingHere,
    isAskable: botToken !== '' && discordApiUrl(account.config) !== undefined,
    async *ask() {
      const { status, body } = await callDiscord('GET', '/applications/@me', { botToken }, account)
      const application = Application.safeParse(body).data
      if (application === undefined) {
        yield status === 401
          ? TOKEN_REFUSED
          : `Discord did not answer as expected (HTTP ${status}). Try again.`
        return undefined
      }
      yield* mismatches(application, account, hookUrl)
      if (isInternal && application.bot_public === true) yield PUBLIC
      const fault = await ensureCommand(application.id, botToken, account)
      if (fault !== undefined) yield fault
      return { account: oneLine(application.name, 100) }
    },
  })
}

export const DISCORD: ChatPlatform = {
  // An interaction is a place of its own. In a channel Discord takes five posts in five seconds, and says how long to wait.
  spacingMs: 0,
  verify: ({ credentials, now, ...request }) =>
    isSignedByDiscord(request, credentials['public_key'] ?? '', now),
  read: readDiscord,
  render: renderForDiscord,
  withdraw: withdrawFromDiscord,
  listen: listenToDiscord,
  isHeard: answersMentions,
  hearsBesideHook: true,
  connectionOf: ({ credentials }) => credentials['bot_token'] ?? '',
  showWorking: async ({ channel, reply_to: question }, account) => {
    // For ten seconds at most. What is asked with the command shows that it is thinking by itself.
    if (channel === undefined || question === undefined) return
    const botToken = account.credentials['bot_token'] ?? ''
    await callDiscord('POST', `/channels/${channel}/typing`, { botToken }, account)
  },
  post: postToDiscord,
  placeOf: (channel) => (/^\d{1,25}$/.test(channel) ? { channel } : undefined),
  linkTo: ({ guild, asked_in: channel, reply_to: question }) =>
    Promise.resolve(
      guild === undefined || channel === undefined
        ? undefined
        : [
            'https://discord.com/channels',
            guild,
            channel,
            ...(question === undefined ? [] : [question]),
          ].join('/'),
    ),
  check,
  setup: () => ({
    credentials: {
      bot_token: 'Bot, Reset Token, in the Developer Portal.',
      public_key: 'General Information, Public Key.',
    },
    settings: {
      answer_mentions:
        'true: it also answers where it is mentioned in a message, a thread or a post of a forum. It then needs the scope bot.',
    },
    manifest: null,
  }),
}
