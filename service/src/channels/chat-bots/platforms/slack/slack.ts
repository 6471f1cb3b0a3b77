import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import { isSignedBySlack } from './verify-slack.ts'
import { listenToSlack } from './listen-to-slack.ts'
import { readSlack } from './read-slack.ts'
import { renderForSlack } from './render-slack.ts'
import { callSlack, isEndOfLive, permalinkInSlack, postToSlack, slackApiUrl } from './slack-api.ts'
import { showLiveInSlack } from './slack-live.ts'
import { slackManifest, SLACK_SCOPES } from './slack-manifest.ts'
import { slackProblem } from './slack-problems.ts'

/** Slack allows one post a second in a channel. */
const SPACING_MS = 1_000

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  if ((credentials['bot_token'] ?? '') === '')
    yield 'The credential bot_token is missing: the Bot User OAuth Token of the app.'
  else if (credentials['bot_token']?.startsWith('xoxb-') !== true)
    yield 'The credential bot_token is not a bot token: it begins with xoxb-.'
  const isBySocket = (credentials['app_token'] ?? '') !== ''
  if (isBySocket && credentials['app_token']?.startsWith('xapp-') !== true)
    yield 'The credential app_token is not an app-level token: it begins with xapp-.'
  if (!isBySocket && (credentials['signing_secret'] ?? '') === '')
    yield 'The credential signing_secret is missing: the Signing Secret of the app. Without it, nothing that Slack sends is taken.'
  if (slackApiUrl(config) === undefined) yield API_URL_WRONG
}

const check: ChatPlatform['check'] = (account) =>
  checkBot(account, {
    missingHere,
    isAskable: (account.credentials['bot_token'] ?? '') !== '' && slackApiUrl(account.config) !== undefined,
    async *ask() {
      const { body, headers } = await callSlack('auth.test', {}, account)
      if (body?.ok !== true) {
        yield body === undefined
          ? 'Slack did not answer as expected. Try again.'
          : slackProblem(body.error ?? '')
        return undefined
      }
      const granted = new Set((headers.get('x-oauth-scopes') ?? '').split(',').map((scope) => scope.trim()))
      const missing = SLACK_SCOPES.filter((scope) => !granted.has(scope))
      if (missing.length > 0)
        yield `The bot token lacks ${missing.join(', ')}. Add them under OAuth & Permissions at api.slack.com/apps, and install the app again.`
      const name = `${oneLine(body.user ?? 'the bot', 80)} in ${oneLine(body.team ?? 'Slack', 80)}`
      return { account: name, missing_scopes: missing }
    },
  })

const SIGNING_SECRET =
  'Basic Information, App Credentials, Signing Secret. Where Slack cannot reach this service: app_token instead.'

const APP_TOKEN =
  'Basic Information, App-Level Tokens, with the scope connections:write. It begins with xapp-.'

export const SLACK: ChatPlatform = {
  spacingMs: SPACING_MS,
  verify: ({ credentials, now, ...request }) =>
    isSignedBySlack(request, credentials['signing_secret'] ?? '', now),
  read: readSlack,
  listen: listenToSlack,
  isHeard: ({ credentials }) => (credentials['app_token'] ?? '') !== '',
  // Slack tells each event to one of the connections of an app, whichever app-level token opened it.
  connectionOf: ({ credentials }) => credentials['bot_token'] ?? '',
  render: renderForSlack,
  placeOf: (channel) => (/^[A-Z0-9]{1,50}$/.test(channel) ? { channel } : undefined),
  linkTo: permalinkInSlack,
  showWorking: async (place, account) => {
    const { channel, thread_ts } = place
    const status = 'is reading the documentation…'
    await callSlack('assistant.threads.setStatus', { channel_id: channel, thread_ts, status }, account)
  },
  live: showLiveInSlack,
  inPlaceOf: (body, { ref }) => ({ ...(body as object), ts: ref }),
  isRepeatable: isEndOfLive,
  post: postToSlack,
  check,
  setup: ({ hookUrl, name, knowledgeBaseName, credentials }) => ({
    credentials: {
      bot_token: 'OAuth & Permissions, Bot User OAuth Token. It begins with xoxb-.',
      ...((credentials['app_token'] ?? '') === ''
        ? { signing_secret: SIGNING_SECRET }
        : { app_token: APP_TOKEN }),
    },
    settings: { api_url: 'For GovSlack: https://slack-gov.com/api.' },
    manifest: slackManifest({
      hookUrl,
      name,
      knowledgeBaseName,
      isBySocket: (credentials['app_token'] ?? '') !== '',
    }),
  }),
}
