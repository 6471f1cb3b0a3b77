import type { Configuration } from 'openid-client'
import { Refusal } from '../../kernel/refusal.ts'

/** A provider that people have an account at, as the operator set it up. */
export interface OutsideProviderSettings {
  /** In addresses: `google`, `github`, `oidc`. */
  id: string
  /** On the button. */
  name: string
  clientId: string
  clientSecret: string
  /** Address of an OpenID provider; `github` for GitHub, which is none. */
  issuer: string
}

/** Who somebody is there. */
export interface OutsideIdentity {
  /** The provider's own address and id of the person: the same person always has the same. */
  issuer: string
  subject: string
  /** Only where the provider says that it is verified. Kept for accounts here, never for readers. */
  email: string | undefined
}

/** What has to be remembered between the way there and the way back. */
export interface OutsideLogin {
  codeVerifier: string
  nonce: string
  state: string
}

/** Time that a provider has for one answer. */
const TIMEOUT_SECONDS = 10

const GITHUB = {
  issuer: 'https://github.com',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
}
const GITHUB_USER = 'https://api.github.com/user'

export interface OutsideProviderDeps {
  /** The guarded way out. */
  fetch: typeof globalThis.fetch
}

/** Signs people in at a provider: OpenID Connect with PKCE, state and nonce; GitHub by its own API. */
export function createOutsideProvider(settings: OutsideProviderSettings, { fetch }: OutsideProviderDeps) {
  let configuring: Promise<Configuration> | undefined

  async function configure(): Promise<Configuration> {
    const openid = await import('openid-client')
    const { issuer, clientId, clientSecret } = settings
    const customFetch = fetch as never
    if (issuer === 'github') {
      const configuration = new openid.Configuration(GITHUB, clientId, clientSecret)
      configuration[openid.customFetch] = customFetch
      return configuration
    }
    return await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [openid.customFetch]: customFetch,
      timeout: TIMEOUT_SECONDS,
      // Whoever runs the service chose the address; a provider on the same machine has no certificate.
      ...(issuer.startsWith('http:') && { execute: [openid.allowInsecureRequests] }),
    })
  }

  /** The provider's own addresses; looked up once, and again after a failure. */
  async function configuration(): Promise<Configuration> {
    configuring ??= configure()
    try {
      return await configuring
    } catch (cause) {
      configuring = undefined
      throw new Refusal('UNAVAILABLE', {
        because: `${settings.name} cannot be reached. Please try again.`,
        cause,
      })
    }
  }

  /** Where to send the browser, and what to remember until it is back. */
  async function begin(redirectUri: string): Promise<{ address: string; login: OutsideLogin }> {
    const openid = await import('openid-client')
    const login = {
      codeVerifier: openid.randomPKCECodeVerifier(),
      nonce: openid.randomNonce(),
      state: openid.randomState(),
    }
    const isOpenId = settings.issuer !== 'github'
    const address = openid.buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri,
      scope: isOpenId ? 'openid email' : 'read:user',
      code_challenge: await openid.calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: 'S256',
      state: login.state,
      ...(isOpenId && { nonce: login.nonce }),
    })
    return { address: address.href, login }
  }

  /**
   * Who came back. The provider's tokens say that, and are then dropped.
   *
   * @throws Refusal BAD_REQUEST where the provider refused, or the answer is not the one that was asked for
   */
  async function finish(cameBackTo: URL, login: OutsideLogin): Promise<OutsideIdentity> {
    const openid = await import('openid-client')
    const configured = await configuration()
    const isOpenId = settings.issuer !== 'github'
    try {
      const tokens = await openid.authorizationCodeGrant(configured, cameBackTo, {
        pkceCodeVerifier: login.codeVerifier,
        expectedState: login.state,
        ...(isOpenId && { expectedNonce: login.nonce, idTokenExpected: true }),
      })
      if (!isOpenId) return await readGitHubUser(tokens.access_token)
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('no id token')
      const { email, email_verified: isVerified } = claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified === true && typeof email === 'string' ? email : undefined,
      }
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      throw new Refusal('BAD_REQUEST', { because: `Signing in with ${settings.name} did not work.`, cause })
    }
  }

  async function readGitHubUser(accessToken: string): Promise<OutsideIdentity> {
    const answer = await fetch(GITHUB_USER, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' },
    })
    const user = (await answer.json()) as { id?: unknown }
    if (!answer.ok || typeof user.id !== 'number') throw new Error(`GitHub answered ${answer.status}`)
    return { issuer: GITHUB.issuer, subject: String(user.id), email: undefined }
  }

  return { id: settings.id, name: settings.name, begin, finish }
}

export type OutsideProvider = ReturnType<typeof createOutsideProvider>
