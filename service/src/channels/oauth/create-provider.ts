import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { createOAuthAdapter, type OAuthAdapterDeps } from './oauth-adapter.ts'
import { canonicalResource, LOOPBACK, MCP_SCOPE, type SignInServer } from './protected-resources.ts'

/** How long things are good for, in seconds. */
const LASTS = {
  AccessToken: 60 * 60,
  AuthorizationCode: 60,
  Interaction: 10 * 60,
  RefreshToken: 30 * 24 * 60 * 60,
  Grant: 30 * 24 * 60 * 60,
  Session: 24 * 60 * 60,
} as const

export interface AuthorizationServerDeps extends Omit<OAuthAdapterDeps, 'usedTwice'> {
  /** The service's address, without a slash at its end. */
  publicUrl: string
  cookieKeys: string[]
  /** Private keys for signing, as a JWK set. */
  jwks: NonNullable<Configuration['jwks']>
  /** The guarded way out: for metadata documents of clients. */
  fetch: typeof globalThis.fetch
  findServer: (resource: string) => Promise<SignInServer | undefined>
  renderError: (title: string, because: string) => Promise<string>
}

/** An account here is `reader:…` (signed in by an outside provider, for public servers) or `user:…` (a member). */
export type AccountKind = 'reader' | 'user'

const KIND_FOR: Record<SignInServer['signInType'], AccountKind> = { public: 'reader', internal: 'user' }

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
        return accountId !== undefined && server !== undefined && !fitsServer(accountId, server)
      },
    ),
  )

  const cookie = { httpOnly: true, sameSite: 'lax' as const, secure: isSecure, signed: true }
  const provider = new Provider(deps.publicUrl, {
    adapter: (kind) =>
      createOAuthAdapter(kind, { ...deps, usedTwice: () => new errors.InvalidGrant('it was used before') }),
    jwks: deps.jwks,
    fetch: deps.fetch,
    clientDefaults: {
      // Tools run on the reader's machine, and wait for the answer at a loopback address whose port they choose as they start.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: {
      // Its own check leaves plain http to clients that call themselves "web": a code would go over it for all to read.
      properties: ['redirect_uris'],
      validator: (_ctx, _name, redirectUris) => {
        const addresses = [redirectUris].flat().map((uri) => URL.parse(String(uri)))
        if (addresses.some((url) => url?.protocol === 'http:' && !LOOPBACK.has(url.hostname)))
          throw new errors.InvalidClientMetadata('redirect_uris must be https, or of the own machine')
      },
    },
    responseTypes: ['code'],
    scopes: [MCP_SCOPE, 'offline_access'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
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
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
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
  // The address is what the operator set: what a proxy or a stranger says of it in headers is written over before.
  provider.proxy = true
  return provider
}
