import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { sanitizeClientMetadata, isDocumentAddress } from './client-metadata.ts'
import { createDocumentFetch } from './fetch-client-document.ts'
import { createOAuthAdapter, type OAuthAdapterDeps } from './oauth-adapter.ts'
import { canonicalResource, MCP_SCOPE, type SignInServer } from './protected-resources.ts'

/** Lifetimes in seconds. */
const LIFETIMES = {
  AccessToken: 60 * 60,
  AuthorizationCode: 60,
  Interaction: 10 * 60,
  RefreshToken: 30 * 24 * 60 * 60,
  Grant: 30 * 24 * 60 * 60,
  Session: 24 * 60 * 60,
} as const

/** Default headers. They also forbid framing of the form that posts a code to a tool. */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface AuthorizationServerDeps extends Omit<OAuthAdapterDeps, 'reuseError'> {
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string
  cookieKeys: string[]
  /** Private keys for signing, as a JWK set. */
  jwks: NonNullable<Configuration['jwks']>
  /** Tool schemes in addition to the built-in ones. */
  toolSchemes: readonly string[]
  /** `fetch` with the SSRF guard, for metadata documents of clients. */
  fetch: typeof globalThis.fetch
  findServer: (resource: string) => Promise<SignInServer | undefined>
  /** Whether a grant is for this server: a later server of the same name is another one. */
  isConnected: (grantId: string, serverId: string) => Promise<boolean>
  renderError: (title: string, because: string) => Promise<string>
}

/** An account here is `reader:…` (signed in at an identity provider, for public servers) or `user:…` (a member). */
export type AccountKind = 'reader' | 'user'

/** Tools on a reader's machine keep no secret. */
const DEFAULT_METHOD = 'none'

const KIND_FOR: Record<SignInServer['signInType'], AccountKind> = {
  public: 'reader',
  internal: 'user',
  portal: 'user',
}

/** Whether a kind of account can be used at a server: readers have no access to an internal one. */
export const isAccountForServer = (accountId: string, server: SignInServer) =>
  accountId.startsWith(`${KIND_FOR[server.signInType]}:`)

/**
 * The service's own OAuth 2.1 authorization server: authorization codes with PKCE, opaque tokens that are bound to one MCP server and
 * looked up at each use. Its issuer is the bare public URL, and its endpoints are where clients that read no metadata expect them:
 * `/authorize`, `/token`, `/register`.
 */
export async function createAuthorizationServer(deps: AuthorizationServerDeps): Promise<Provider> {
  // Loaded lazily: most services have no server with sign-in, and loading takes half a second.
  const { Provider, errors, interactionPolicy } = await import('oidc-provider')
  const isSecure = deps.publicUrl.startsWith('https:')

  async function serverOf(ctx: KoaContextWithOIDC): Promise<SignInServer | undefined> {
    const resource = ctx.oidc.params?.['resource']
    return typeof resource === 'string' ? await deps.findServer(resource) : undefined
  }

  const policy = interactionPolicy.base()
  policy.get('login')?.checks.add(
    new interactionPolicy.Check(
      'other_kind_of_account',
      'This server is for another kind of account',
      async (ctx) => {
        const { accountId } = ctx.oidc.session ?? {}
        const server = accountId === undefined ? undefined : await serverOf(ctx)
        if (accountId === undefined || server === undefined) return false
        // A member is signed in as long as their own session here lasts, which only our own page can check.
        if (server.signInType !== 'public' && ctx.oidc.result?.['login'] === undefined) return true
        return !isAccountForServer(accountId, server)
      },
    ),
  )

  const cookie = { httpOnly: true, sameSite: 'lax' as const, secure: isSecure, signed: true }
  const provider = new Provider(deps.publicUrl, {
    adapter: (kind) =>
      createOAuthAdapter(kind, { ...deps, reuseError: () => new errors.InvalidGrant('it was used before') }),
    jwks: deps.jwks,
    fetch: createDocumentFetch(deps.fetch),
    clientDefaults: {
      // Tools run on the reader's machine, and listen on a loopback address with a port that they choose at start.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: DEFAULT_METHOD,
    },
    extraClientMetadata: {
      properties: ['client_name'],
      validator: (_ctx, _property, _value, metadata) => {
        const fault = sanitizeClientMetadata(metadata, deps.toolSchemes)
        if (fault !== undefined) throw new errors.InvalidClientMetadata(fault)
      },
    },
    responseTypes: ['code'],
    scopes: [MCP_SCOPE, 'offline_access'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // A tool keeps working after the browser session has ended or changed to another account. It is disconnected explicitly.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    ttl: LIFETIMES,
    cookies: {
      keys: deps.cookieKeys,
      long: cookie,
      short: cookie,
      names: {
        session: isSecure ? '__Host-citewell_oauth' : 'citewell_oauth',
        interaction: 'citewell_connect',
        resume: 'citewell_resume',
      },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      jwks: '/oauth/jwks',
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      pushedAuthorizationRequests: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_ctx, clientId) => isDocumentAddress(clientId),
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (ctx, resource) => {
          const server = await deps.findServer(resource)
          const audience = canonicalResource(resource)
          if (server === undefined || audience === undefined) throw new errors.InvalidTarget()
          const grantId = ctx.path === '/token' ? ctx.oidc.entities.Grant?.jti : undefined
          // The tool must ask its user to sign in again: tokens of this grant are refused everywhere.
          if (grantId !== undefined && !(await deps.isConnected(grantId, server.id)))
            throw new errors.InvalidGrant('it is not for this server (any more)')
          return {
            scope: MCP_SCOPE,
            audience,
            accessTokenTTL: LIFETIMES.AccessToken,
            accessTokenFormat: 'opaque',
          }
        },
        defaultResource: () => {
          throw new errors.InvalidTarget('send the address of the MCP server as "resource"')
        },
        useGrantedResource: () => true,
      },
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy, url: (_ctx, interaction) => `/connect/${interaction.uid}` },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    renderError: async (ctx, out) => {
      ctx.set(PLAIN_PAGE_HEADERS)
      ctx.type = 'html'
      ctx.body = await deps.renderError(out.error, out.error_description ?? '')
    },
  })
  // Clients that read no metadata send no scope; this is the only one. Without it the consent would grant nothing.
  provider.use(async (ctx, next) => {
    if (ctx.path === '/authorize' && ctx.method === 'GET' && ctx.query['scope'] === undefined)
      ctx.query = { ...ctx.query, scope: MCP_SCOPE }
    await next()
  })
  withDefaultMethod(provider)
  // `mountProvider` has overwritten the forwarded headers with the configured public URL, so a proxy or client cannot change it.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) if (!ctx.res.hasHeader(name)) ctx.set(name, value)
  })
  return provider
}

interface ClientClass {
  needsSecret: (metadata: Record<string, unknown>) => boolean
}

/**
 * The library decides on a secret before the default method counts: a client that names no method would be told a secret, and be refused for
 * using it.
 */
function withDefaultMethod({ Client }: Provider): void {
  const client = Client as unknown as ClientClass
  const needsSecret = client.needsSecret.bind(client)
  client.needsSecret = (metadata) => needsSecret({ token_endpoint_auth_method: DEFAULT_METHOD, ...metadata })
}
