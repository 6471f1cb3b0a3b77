import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import type { KeptTokens } from '../../kept-tokens.ts'
import { createPublishedKeys } from '../../published-keys.ts'
import { readTeams } from './read-teams.ts'
import { renderForTeams, typingInTeams } from './render-teams.ts'
import { createTeamsTokens, postToTeams } from './teams-api.ts'
import { endLiveInTeams, inPlaceInTeams, isEndOfLive, showLiveInTeams } from './teams-live.ts'
import { teamsCloud } from './teams-cloud.ts'
import { teamsManifest } from './teams-manifest.ts'
import { isSignedForTeams } from './verify-teams.ts'

/** Teams allows 60 messages in 30 seconds in a conversation. */
const SPACING_MS = 600

const CREDENTIALS = {
  app_id: 'Azure portal, the Azure Bot, Configuration, Microsoft App ID.',
  tenant_id: 'Azure portal, the Azure Bot, Configuration, App Tenant ID.',
  client_secret:
    'Entra admin center, App registrations, the app, Certificates & secrets, New client secret: its Value.',
} as const

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  for (const [name, description] of Object.entries(CREDENTIALS))
    if ((credentials[name] ?? '') === '') yield `The credential ${name} is missing. ${description}`
  if (teamsCloud(config) === undefined) yield API_URL_WRONG
}

const createCheck =
  (tokens: KeptTokens): ChatPlatform['check'] =>
  (account) =>
    checkBot(account, {
      missingHere,
      ask: async () => {
        // A secret that was withdrawn must not pass by a token that was given before.
        tokens.forget(account)
        await tokens.get(account)
        const { app_id: app = '', tenant_id: tenant = '' } = account.credentials
        return { account: `application ${app.slice(0, 100)} of tenant ${tenant.slice(0, 100)}` }
      },
    })

/** Bots of Microsoft Teams: activities of the Bot Framework come in, replies go to the address that their proof names. */
export function createTeams({ now }: { now: () => Date }): ChatPlatform {
  const keyOf = createPublishedKeys()
  const tokens = createTeamsTokens(now)
  return {
    spacingMs: SPACING_MS,
    placeOf: (channel, asked) => ({
      service_url: asked['service_url'] ?? '',
      conversation: channel,
      reply_to: '',
    }),
    verify: (claim) => isSignedForTeams(claim, keyOf),
    read: readTeams,
    render: renderForTeams,
    showWorking: async (place, account) => {
      await postToTeams(typingInTeams(place), account, tokens)
    },
    live: (place, account) => showLiveInTeams(place, account, tokens),
    inPlaceOf: inPlaceInTeams,
    isRepeatable: isEndOfLive,
    post: async (body, account) =>
      isEndOfLive(body)
        ? await endLiveInTeams(body, account, tokens)
        : await postToTeams(body, account, tokens),
    check: createCheck(tokens),
    setup: ({ hookUrl, name, knowledgeBaseName, credentials }) => ({
      credentials: CREDENTIALS,
      settings: { api_url: 'For GCC High and DoD: https://api.botframework.us.' },
      manifest: teamsManifest({ hookUrl, name, knowledgeBaseName, appId: credentials['app_id'] ?? '' }),
    }),
  }
}
