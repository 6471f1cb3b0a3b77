import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { holdToRules, isDocumentAddress } from './client-rules.ts'
import { createDocumentFetch } from './fetch-client-document.ts'
import { createOAuthAdapter, type OAuthAdapterDeps } from './oauth-adapter.ts'
import { canonicalResource, MCP_SCOPE, type SignInServer } from './protected-resources.ts'

/** How long things are good for, in seconds. */
const LASTS = {
  AccessToken: 60 * 60,
  AuthorizationCode: 60,
  Interaction: 10 * 60,
  RefreshToken: 30 * 24 * 60 * 60,
  Grant: 30 * 24 * 60 * 60,
  Session: 24 * 60 * 60,
} as const

/** Of each answer that says nothing stricter: a form that gives a code to a tool, too, is one for no frame. */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface AuthorizationServerDeps extends Omit<OAuthAdapterDeps, 'usedTwice'> {
  /** The service's address, without a slash at its end. */
  publicUrl: string
  cookieKeys: string[]
  /** Private keys for signing, as a JWK set. */
  jwks: NonNullable<Configuration['jwks']>
  /** Schemes of tools beside those that every service knows. */
  toolSchemes: readonly string[]
  /** The guarded way out: for metadata documents of clients. */
  fetch: typeof globalThis.fetch
  findServer: (resource: string) => Promise<SignInServer | undefined>
  renderError: (title: string, because: string) => Promise<string>
}

/** An account here is `reader:…` (signed in by an outside provider, for public servers) or `user:…` (a member). */
export type AccountKind = 'reader' | 'user'

const KIND_FOR: Record<SignInServer['signInType'], AccountKind> = {
  public: 'reader',
  internal: 'user',
  portal: 'user',
}

/** Whether an account may be asked for at a server: readers are nobody at an internal one. */
export const fitsServer = (accountId: string, server: SignInServer) =>
  accountId.startsWith(`${KIND_FOR[server.signInType]}:`)

/**
 * The service's own OAuth 2.1 authorization server: authorization codes with PKCE, opaque tokens that are bound to one MCP server and
 * looked up at each use. Its issuer is the bare address of the service, and its endpoints stand where tools that read no metadata
 * look for them: `/authorize`, `/token`, `/register`.
 */
export async function createAuthorizationServer(deps: AuthorizationServerDeps): Promise<Provider> {
  // Loaded when it is needed: most services have no server that people sign in to, and it takes half a second.
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
        // A member is signed in as long as their own session here lasts, which only our own page knows.
        if (server.signInType !== 'public' && ctx.oidc.result?.['login'] === undefined) return true
        return !fitsServer(accountId, server)
      },
    ),
  )

  const cookie = { httpOnly: true, sameSite: 'lax' as const, secure: isSecure, signed: true }
  const provider = new Provider(deps.publicUrl, {
    adapter: (kind) =>
      createOAuthAdapter(kind, { ...deps, usedTwice: () => new errors.InvalidGrant('it was used before') }),
    jwks: deps.jwks,
    fetch: createDocumentFetch(deps.fetch),
    clientDefaults: {
      // Tools run on the reader's machine, and wait for the answer at a loopback address whose port they choose as they start.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: {
      properties: ['client_name'],
      validator: (_ctx, _property, _value, metadata) => {
        const fault = holdToRules(metadata, deps.toolSchemes)
        if (fault !== undefined) throw new errors.InvalidClientMetadata(fault)
      },
    },
    responseTypes: ['code'],
    scopes: [MCP_SCOPE, 'offline_access'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // A tool reads on after its person has closed the browser, or connected as somebody else there. It is disconnected by itself.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    ttl: LASTS,
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
        getResourceServerInfo: async (_ctx, resource) => {
          const server = await deps.findServer(resource)
          const audience = canonicalResource(resource)
          if (server === undefined || audience === undefined) throw new errors.InvalidTarget()
          return {
            scope: MCP_SCOPE,
            audience,
            accessTokenTTL: LASTS.AccessToken,
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
  // Tools that read no metadata ask for no scope; there is only this one. Without it the person's consent would come to nothing.
  provider.use(async (ctx, next) => {
    if (ctx.path === '/authorize' && ctx.method === 'GET' && ctx.query['scope'] === undefined)
      ctx.query = { ...ctx.query, scope: MCP_SCOPE }
    await next()
  })
  // The address is what the operator set: what a proxy or a stranger says of it in headers is written over before.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) if (!ctx.res.hasHeader(name)) ctx.set(name, value)
  })
  return provider
}
