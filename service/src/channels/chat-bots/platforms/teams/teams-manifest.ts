import { oneLine } from '../../../../kernel/one-line.ts'

const APP_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NOT_ENTERED = 'ENTER-THE-APPLICATION-ID-HERE'

/** The manifest of a Teams app with the bot. Its id is that of the application, which is unique in the tenant. */
export function teamsManifest(given: {
  hookUrl: string
  name: string
  knowledgeBaseName: string
  appId: string
}): Record<string, unknown> {
  const { origin, hostname } = new URL(given.hookUrl)
  const id = APP_ID.test(given.appId) ? given.appId : NOT_ENTERED
  // Teams takes 30, 100, 80 and 4,000 characters, and no empty ones.
  const name = oneLine(given.name, 30) || 'Docs'
  return {
    $schema: 'https://developer.microsoft.com/json-schemas/teams/v1.17/MicrosoftTeams.schema.json',
    manifestVersion: '1.17',
    version: '1.0.0',
    id,
    developer: { name: oneLine(hostname, 32), websiteUrl: origin, privacyUrl: origin, termsOfUseUrl: origin },
    name: { short: name, full: oneLine(given.name, 100) || 'Docs' },
    description: {
      short: oneLine(`Answers from ${given.knowledgeBaseName}`, 80),
      full: oneLine(
        `Answers questions from ${given.knowledgeBaseName}, with links to the pages that it cites.`,
        4_000,
      ),
    },
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: '#FFFFFF',
    bots: [
      {
        botId: id,
        scopes: ['personal', 'team', 'groupChat'],
        supportsFiles: false,
        isNotificationOnly: false,
      },
    ],
    validDomains: [],
  }
}
