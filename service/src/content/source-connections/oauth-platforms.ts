import type { SOURCE_PLATFORMS } from '@citewell/contract/closed-lists'

export type SourcePlatform = (typeof SOURCE_PLATFORMS)[number]

export type ClientProof = 'form' | 'json' | 'basic-json'

interface Revocation {
  /** `{client_id}` is that of the app. */
  url: string
  /** Which of the two tokens ends the access. */
  token: 'refresh' | 'access'
  method?: 'DELETE'
  /** The name of its field. */
  field?: 'access_token'
  clientProof?: ClientProof
}

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
  /** How the app proves itself at the token address: fields of the form, fields of a JSON body, or the Basic scheme with a JSON body. */
  clientProof: ClientProof
  /** What the platform needs in each request beside the proof. */
  headers?: Readonly<Record<string, string>>
  /** An answer without a refresh token is of no use: the access token ends within hours. */
  needsRefreshToken: boolean
  /** Hosts that its access tokens are sent to, and no others. */
  apiOrigins: readonly string[]
  /** Where one token is taken back; undefined: the platform has no such address. RFC 7009, unless it says otherwise. */
  revokes: Revocation | undefined
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

/** The sites that an account of Atlassian opens. */
function namesOfSites(answer: unknown): string | undefined {
  const names = Array.isArray(answer) ? answer.map((site: unknown) => textIn(site, 'name')) : []
  return names.filter((name) => typeof name === 'string').join(', ')
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
  // https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/. Each refresh token works once.
  atlassian: {
    name: 'Atlassian',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    authorizeParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    scopes: [
      'offline_access',
      'read:jira-work',
      'read:jira-user',
      'search:confluence',
      'read:confluence-content.all',
      // The files at a page beyond those that come with it.
      'read:confluence-content.summary',
      'read:confluence-content.permission',
      'read:confluence-space.summary',
      'read:confluence-user',
      'readonly:content.attachment:confluence',
    ],
    scopeSeparator: ' ',
    // A person cannot leave any of them out.
    neededScopes: [],
    // Not among what Atlassian documents.
    hasPkce: false,
    clientProof: 'json',
    needsRefreshToken: true,
    // A site's own host does not take these tokens.
    apiOrigins: ['https://api.atlassian.com'],
    revokes: undefined,
    account: { url: 'https://api.atlassian.com/oauth/token/accessible-resources', read: namesOfSites },
    removeAt: 'id.atlassian.com/manage-profile/apps',
  },
  // https://developers.notion.com/guides/get-started/authorization: what is read is chosen at Notion, page by page.
  notion: {
    name: 'Notion',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    authorizeParameters: { owner: 'user' },
    scopes: [],
    scopeSeparator: ' ',
    neededScopes: [],
    // Not among what Notion documents.
    hasPkce: false,
    clientProof: 'basic-json',
    headers: { 'notion-version': '2025-09-03' },
    // Connections of older apps have tokens that last.
    needsRefreshToken: false,
    apiOrigins: ['https://api.notion.com'],
    revokes: { url: 'https://api.notion.com/v1/oauth/revoke', token: 'access' },
    account: {
      url: 'https://api.notion.com/v1/users/me',
      read: (answer) => textIn(answer, 'bot', 'workspace_name'),
    },
    removeAt: 'notion.so, Settings › Connections',
  },
  // A GitHub App: what it may read is set where it is registered and installed. Its refresh tokens work once.
  // https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
  github: {
    name: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    authorizeParameters: {},
    scopes: [],
    scopeSeparator: ' ',
    neededScopes: [],
    hasPkce: true,
    clientProof: 'form',
    // Unless the app has expiring tokens, its token lasts.
    needsRefreshToken: false,
    apiOrigins: ['https://api.github.com'],
    // Of the token alone: what ends the whole authorization would end every connection of the person.
    revokes: {
      url: 'https://api.github.com/applications/{client_id}/token',
      token: 'access',
      method: 'DELETE',
      field: 'access_token',
      clientProof: 'basic-json',
    },
    account: { url: 'https://api.github.com/user', read: (answer) => answer['login'] },
    removeAt: 'github.com/settings/apps/authorizations',
  },
}
