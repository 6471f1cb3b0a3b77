import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import { listenToMattermost } from './listen-to-mattermost.ts'
import {
  callMattermost,
  MattermostId,
  mattermostUrl,
  postToMattermost,
  readMattermostBot,
} from './mattermost-api.ts'
import { isMattermostCommand, readMattermostCommand } from './read-command.ts'
import { renderForMattermost } from './render-mattermost.ts'

/** Mattermost allows ten requests a second where its rate limit is switched on; an answer takes three. */
const SPACING_MS = 500

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  if (mattermostUrl(config) === undefined)
    yield 'The setting api_url is missing, or is no https address: that of your Mattermost, such as https://chat.example.com.'
  if ((credentials['bot_token'] ?? '') === '')
    yield 'The credential bot_token is missing: Integrations, Bot Accounts, Add Bot Account.'
}

const check: ChatPlatform['check'] = (account) =>
  checkBot(account, {
    missingHere,
    async *ask() {
      const read = await readMattermostBot(account)
      if ('bot' in read)
        return { account: `@${read.bot.username} at ${new URL(mattermostUrl(account.config) ?? '').host}` }
      yield read.because
      return undefined
    },
  })

/**
 * Bots of Mattermost: what is written to them is heard over a connection of our own, so that Mattermost need not reach this service. It
 * must for the command, if there is one.
 */
export const MATTERMOST: ChatPlatform = {
  spacingMs: SPACING_MS,
  verify: isMattermostCommand,
  read: readMattermostCommand,
  listen: listenToMattermost,
  hearsBesideHook: true,
  connectionOf: ({ credentials }) => credentials['bot_token'] ?? '',
  placeOf: (channel) =>
    MattermostId.safeParse(channel).success ? { channel_id: channel, root_id: '' } : undefined,
  linkTo: ({ root_id: root = '' }, { config }) =>
    Promise.resolve(root === '' ? undefined : `${mattermostUrl(config) ?? ''}/_redirect/pl/${root}`),
  render: renderForMattermost,
  showWorking: async ({ channel_id, root_id }, account) => {
    const thread = root_id === '' ? {} : { parent_id: root_id }
    await callMattermost('POST', '/users/me/typing', account, { channel_id, ...thread })
  },
  post: postToMattermost,
  check,
  setup: () => ({
    credentials: {
      bot_token: 'Integrations, Bot Accounts, Add Bot Account: the token that is shown once.',
      command_token:
        'Only for the command /ask: Integrations, Slash Commands, Add Slash Command, with this address as its Request URL and POST as its method: the token that is shown then.',
    },
    settings: {
      api_url: 'The address of your Mattermost, such as https://chat.example.com.',
    },
    manifest: null,
  }),
}
