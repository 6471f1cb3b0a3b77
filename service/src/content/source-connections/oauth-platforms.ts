import type { SOURCE_PLATFORMS } from '@citewell/contract/closed-lists'

export type SourcePlatform = (typeof SOURCE_PLATFORMS)[number]

/** How accounts of a platform are connected: RFC 6749, with what each platform adds to it. */
export interface OAuthPlatform {
  /** On buttons and in messages. */
  name: string
  authorizeUrl: string
  tokenUrl: string
  /** Parameters of the authorization request beside those of RFC 6749. */
  authorizeParameters: Readonly<Record<string, string>>
  /** What is asked for, in the platform's own words. */
  scopes: readonly string[]
  /** Between them. */
  scopeSeparator: ' ' | ','
  /** Of these, what its connector cannot work without; a person may leave some out. The last part of each, in small letters. */
  neededScopes: readonly string[]
  /** RFC 7636. */
  hasPkce: boolean
  /** How the app proves itself at the token address: fields of the form, or the Basic scheme with a JSON body. */
  clientProof: 'form' | 'basic-json'
  /** An answer without a refresh token is of no use: the access token ends within hours. */
  needsRefreshToken: boolean
  /** Hosts that its access tokens are sent to, and no others. */
  apiOrigins: readonly string[]
  /** RFC 7009, and which token it takes back; undefined: the platform has no such address for one token. */
  revokes: { url: string; token: 'refresh' | 'access' } | undefined
  /** Where the name of the account is read with the access token, and its field. */
  account: { url: string; read: (answer: Record<string, unknown>) => unknown } | undefined
  /** What a person does to take it back where the service cannot, or to begin anew. */
  removeAt: string
}

const textIn = (value: unknown, ...path: readonly string[]): unknown => {
  let found = value
  for (const name of path)
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined
  return found
}

const DRIVE_READING = 'https://www.googleapis.com/auth/drive.readonly'

/** Platforms whose connectors read with connected accounts. */
export const OAUTH_PLATFORMS: Partial<Record<SourcePlatform, OAuthPlatform>> = {
  // https://developers.google.com/identity/protocols/oauth2/web-server
  google: {
    name: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    // Without both, there is no refresh token, or only at the first time.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    scopes: [DRIVE_READING],
    scopeSeparator: ' ',
    neededScopes: ['drive.readonly'],
    hasPkce: true,
    clientProof: 'form',
    needsRefreshToken: true,
    apiOrigins: ['https://www.googleapis.com'],
    revokes: { url: 'https://oauth2.googleapis.com/revoke', token: 'refresh' },
    account: {
      url: 'https://www.googleapis.com/drive/v3/about?fields=user(emailAddress)',
      read: (answer) => textIn(answer, 'user', 'emailAddress'),
    },
    removeAt: 'myaccount.google.com/connections',
  },
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow; `{tenant}` is a setting.
  microsoft: {
    name: 'Microsoft',
    authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
    scopes: ['offline_access', 'User.Read', 'Files.Read.All', 'Sites.Read.All'],
    scopeSeparator: ' ',
    neededScopes: ['files.read.all', 'sites.read.all'],
    hasPkce: true,
    clientProof: 'form',
    needsRefreshToken: true,
    apiOrigins: ['https://graph.microsoft.com'],
    // What there is ends every session of the person.
    revokes: undefined,
    account: {
      url: 'https://graph.microsoft.com/v1.0/me?$select=userPrincipalName',
      read: (answer) => answer['userPrincipalName'],
    },
    removeAt: 'myapplications.microsoft.com',
  },
  // https://docs.slack.dev/authentication/installing-with-oauth
  slack: {
    name: 'Slack',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    authorizeParameters: {},
    scopes: ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read'],
    scopeSeparator: ',',
    neededScopes: ['channels:read', 'channels:history'],
    hasPkce: false,
    clientProof: 'form',
    // Unless the app has token rotation, its token lasts.
    needsRefreshToken: false,
    apiOrigins: ['https://slack.com'],
    revokes: { url: 'https://slack.com/api/auth.revoke', token: 'access' },
    account: { url: 'https://slack.com/api/auth.test', read: (answer) => answer['team'] },
    removeAt: 'slack.com/apps/manage',
  },
}
