import { parseServiceAccountKey } from '../../../../kernel/service-account-key.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import type { KeptTokens } from '../../kept-tokens.ts'
import { createPublishedKeys } from '../../published-keys.ts'
import {
  callGoogleChat,
  createGoogleChatTokens,
  googleChatAddresses,
  KEY_UNREADABLE,
  refusalIn,
} from './google-chat-api.ts'
import { showLiveInGoogleChat } from './google-chat-live.ts'
import { postToGoogleChat } from './post-google-chat.ts'
import { readGoogleChat, SpaceName } from './read-google-chat.ts'
import { renderForGoogleChat } from './render-google-chat.ts'
import { isSignedForGoogleChat } from './verify-google-chat.ts'

/** Google Chat takes one write a second in a space. */
const SPACING_MS = 1_000

const CREDENTIALS = {
  service_account:
    'Google Cloud console, IAM & Admin, Service Accounts, the account, Keys, Add key, JSON: the whole file.',
  project_number:
    'Google Cloud console, Cloud overview, Dashboard, Project number: digits, not the project ID.',
} as const

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  for (const [name, description] of Object.entries(CREDENTIALS))
    if ((credentials[name] ?? '') === '') yield `The credential ${name} is missing. ${description}`
  const { service_account: json = '', project_number: number = '' } = credentials
  if (json !== '' && parseServiceAccountKey(json) === undefined) yield KEY_UNREADABLE
  if (number !== '' && !/^\d{1,20}$/.test(number))
    yield `The credential project_number is no number. ${CREDENTIALS.project_number}`
  if (googleChatAddresses(config) === undefined) yield API_URL_WRONG
}

const createCheck =
  (tokens: KeptTokens): ChatPlatform['check'] =>
  (account) =>
    checkBot(account, {
      missingHere,
      async *ask() {
        // A key that was deleted must not pass by a token that was given before.
        tokens.forget(account)
        const query = { pageSize: '1' }
        const answer = await callGoogleChat({ method: 'GET', path: 'spaces', query }, account, tokens)
        if (answer.status !== 200) yield problemOfCheck(answer.status, refusalIn(answer).message)
        const email = parseServiceAccountKey(account.credentials['service_account'] ?? '')?.client_email
        return { account: oneLine(email ?? '', 200) }
      },
    })

const problemOfCheck = (status: number, message: string): string =>
  /has not been used|is disabled/.test(message)
    ? 'The Google Chat API is off in the project of the service account: Google Cloud console, APIs & Services, Enable APIs.'
    : `Google Chat does not know the service account as a Chat app (HTTP ${status}): open the Google Chat API in the Google Cloud console, Configuration, and fill it in; the service account has to be of the same project.`

/** Apps of Google Chat: events come to the hook, answers go to the API with a service account. */
export function createGoogleChat({ now }: { now: () => Date }): ChatPlatform {
  const keyOf = createPublishedKeys()
  const tokens = createGoogleChatTokens(now)
  return {
    spacingMs: SPACING_MS,
    verify: (claim) => isSignedForGoogleChat(claim, keyOf),
    read: readGoogleChat,
    placeOf: (channel, { asked = '' }) =>
      SpaceName.safeParse(channel).success ? { space: channel, asked } : undefined,
    linkTo: ({ space, thread }) =>
      Promise.resolve(
        space === undefined || thread === undefined
          ? undefined
          : `https://chat.google.com/room/${space.split('/')[1] ?? ''}/${thread.split('/')[3] ?? ''}`,
      ),
    render: renderForGoogleChat,
    live: (place, account) => showLiveInGoogleChat(place, account, tokens),
    inPlaceOf: (body, { ref }) => ({ ...(body as object), edits: ref }),
    isRepeatable: () => true,
    post: (body, account) => postToGoogleChat(body, account, tokens),
    check: createCheck(tokens),
    setup: () => ({ credentials: CREDENTIALS, settings: {}, manifest: null }),
  }
}
